/** Where a bank's token endpoint may be. */
export interface TokenUrls {
  /** The one to ask first, and those to ask where there is nothing. */
  readonly list: () => ReadonlyArray<string>
  /** Asks this one first from now on. */
  readonly keep: (url: string) => void
}

/** The URLs of a token endpoint, in the order in which they are asked. */
export const makeTokenUrls = (known: ReadonlyArray<string>): TokenUrls => {
  let urls = known
  return {
    list: () => urls,
    keep: (url) => {
      if (urls[0] !== url) urls = [url, ...urls.filter((other) => other !== url)]
    },
  }
}
