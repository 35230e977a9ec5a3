const schemeAndAuthority = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i

/** Returns path and query of a URL with or without scheme and authority. Keeps percent-encoding. */
export const pathAndQuery = (url: string): string => {
  if (url.startsWith("/")) return url
  const path = url.replace(schemeAndAuthority, "")
  return path.startsWith("/") ? path : `/${path}`
}

/**
 * Path and query below a mount; keeps percent-encoding.
 *
 * Removes as many segments as the prefix has, because a router can match a prefix with parameters or in another spelling.
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
