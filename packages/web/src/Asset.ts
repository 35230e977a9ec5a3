/** A file that pages load from its `assetPath`. It is a constant in its package and isn't read at run time. */
export interface Asset {
  /** The name of the file: `tokens.css`, or `portal.js` for the source `portal.ts`. */
  readonly name: string
  /** The hash of the text. The address contains it, so caches can keep the file for a year. */
  readonly hash: string
  readonly type: string
  readonly text: string
}

/** The path below the app's root: `assets/tokens-1a2b3c4d.css`. */
export const assetPath = ({ name, hash }: Asset): string => `assets/${name.replace(/(?=\.\w+$)/, `-${hash}`)}`
