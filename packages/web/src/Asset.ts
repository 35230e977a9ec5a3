/** A file that pages load from its `assetPath`: a constant of its package, not read at run time. */
export interface Asset {
  /** The name of its source file: `tokens.css`; `portal.js` for `portal.ts`. */
  readonly name: string
  /** The hash of its text. The address contains it, so caches can keep the file. */
  readonly hash: string
  readonly type: string
  readonly text: string
}

/** The path below the app's root: `assets/tokens-1a2b3c4d.css`. */
export const assetPath = ({ name, hash }: Asset): string => `assets/${name.replace(/(?=\.\w+$)/, `-${hash}`)}`
