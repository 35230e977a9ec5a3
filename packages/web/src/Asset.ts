/** A file that pages load, under its `assetPath`. It is a constant of its package: no file is read at run time. */
export interface Asset {
  /** The file name of its source: `tokens.css`; `portal.js` for `portal.ts`. */
  readonly name: string
  /** The hash of its text. It is part of the address, so caches can keep the file. */
  readonly hash: string
  readonly type: string
  readonly text: string
}

/** The path of an asset below the app's root: `assets/tokens-1a2b3c4d.css`. */
export const assetPath = ({ name, hash }: Asset): string => `assets/${name.replace(/(?=\.\w+$)/, `-${hash}`)}`
