/** What the path of a notice says: the company, where we registered it with one. */
export interface NoticePath {
  readonly company?: string
}

/**
 * Banks add `/pix` to the URL that was registered, and double the slash where it ended in one; some call it as it is.
 * Undefined for any other path.
 */
export const readNoticePath = (path: string, url: string): NoticePath | undefined => {
  const asked = url.split("?", 1)[0]?.replace(/\/{2,}/g, "/") ?? ""
  if (asked !== path && !asked.startsWith(`${path}/`)) return undefined
  const segments = asked
    .slice(path.length)
    .split("/")
    .filter((segment) => segment !== "")
  if (segments.at(-1) === "pix") segments.pop()
  const [company, ...rest] = segments
  if (rest.length > 0) return undefined
  return company === undefined ? {} : { company }
}
