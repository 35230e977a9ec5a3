const schemeAndAuthority = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i

/** Path and query of a URL, which may have neither scheme nor authority; percent-encoding untouched. */
export const pathAndQuery = (url: string): string => {
  if (url.startsWith("/")) return url
  const path = url.replace(schemeAndAuthority, "")
  return path.startsWith("/") ? path : `/${path}`
}

/**
 * Path and query of a URL below a mount, percent-encoding untouched: as many segments are taken off as the mount's prefix
 * has, because a router may match a prefix by parameters, or in another spelling.
 */
export const pathBelow = (url: string, prefix: string): string => {
  let path = pathAndQuery(url)
  for (let segments = prefix.replace(/\/$/, "").split("/").length - 1; segments > 0; segments--) {
    const end = path.slice(1).search(/[/?]/) + 1
    if (end === 0) return "/"
    path = path[end] === "?" ? `/${path.slice(end)}` : path.slice(end)
  }
  return path
}
