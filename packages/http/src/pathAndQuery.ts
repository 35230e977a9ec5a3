const schemeAndAuthority = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i

/** Path and query of a URL, which may have neither scheme nor authority; percent-encoding untouched. */
export const pathAndQuery = (url: string): string => {
  if (url.startsWith("/")) return url
  const path = url.replace(schemeAndAuthority, "")
  return path.startsWith("/") ? path : `/${path}`
}
