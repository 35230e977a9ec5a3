/** A file that pages ask for by `assetPath`, as a constant of its package: nothing is read at run time. */
export interface Asset {
  /** As its source is named: `tokens.css`; `portal.js` for `portal.ts`. */
  readonly name: string
  /** Of its text: another text has another address, so that caches may keep it. */
  readonly hash: string
  /** Its media type. */
  readonly type: string
  readonly text: string
}

/** Where an asset lies below the app's root: `assets/tokens-1a2b3c4d.css`. */
export const assetPath = ({ name, hash }: Asset): string => `assets/${name.replace(/(?=\.\w+$)/, `-${hash}`)}`
