/** A path's segments; a slash at its end is none. Throws a `URIError` for one that can't be decoded. */
export const segments = (path: string): ReadonlyArray<string> =>
  path
    .split("/")
    .filter((one) => one !== "")
    .map(decodeURIComponent)

/** A call by method and path without its ids, like `GET loc {id} qrcode`. */
export const nameCall = (method: string, path: string): string => {
  const [resource, id, part] = segments(path)
  return [method, resource, id && "{id}", part].filter((one) => one !== undefined).join(" ")
}
