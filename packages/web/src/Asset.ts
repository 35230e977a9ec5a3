/** A file that pages load, under its `assetPath`. It is a constant of its package: nothing is read at run time. */
export interface Asset {
  /** The name of its source: `tokens.css`; `portal.js` for `portal.ts`. */
  readonly name: string
  /** The hash of its text. Another text has another address, so caches may keep it. */
  readonly hash: string
  /** Its media type. */
  readonly type: string
  readonly text: string
}

/** The path of an asset below the app's root: `assets/tokens-1a2b3c4d.css`. */
export const assetPath = ({ name, hash }: Asset): string => `assets/${name.replace(/(?=\.\w+$)/, `-${hash}`)}`
