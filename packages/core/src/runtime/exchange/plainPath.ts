/** The path of a URL below its mount without query, doubled slashes and a last one: `//webhooks/pix/?a=b` is `/webhooks/pix`. */
export const plainPath = (url: string): string => {
  const query = url.indexOf("?")
  return (query < 0 ? url : url.slice(0, query)).replace(/\/{2,}/g, "/").replace(/\/$/, "")
}
