/** What the path of a notice says: the company, where we registered it with one. */
export interface NoticePath {
  readonly company?: string
}

/**
 * Reads the part of a path below the notices' own. Banks add `/pix` to the URL that was registered; some call it as it is.
 * Undefined for any other path.
 */
export const readNoticePath = (below: string): NoticePath | undefined => {
  const segments = below.split("/").slice(1)
  if (segments.at(-1) === "pix") segments.pop()
  const [company, ...rest] = segments
  if (rest.length > 0) return undefined
  return company === undefined ? {} : { company }
}
