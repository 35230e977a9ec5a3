import type { Reply } from "@pixcharge/core"
import { securityHeaders } from "@pixcharge/web"
import type { Branding } from "./Branding.ts"

/** Below a link, so that every process has them, and a company's are found by the link. */
export const brandPaths = { logo: "/logo", css: "/marca.css" } as const

/** A picture may be an SVG: opened by itself, it runs nothing and loads nothing. */
const pictureOnly = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

export const isBrandPath = (path: string): boolean => path === brandPaths.logo || path === brandPaths.css

/**
 * A file of the brand by its path below a link; undefined if there is none. Browsers keep it under the `url` with its hash. Another
 * process may know another brand for a while: under its hash, they ask each time.
 */
export const brandReply = ({ logo, css }: Branding, path: string, url: string): Reply | undefined => {
  const isLogo = path === brandPaths.logo
  const file = isLogo ? logo : css
  if (file === undefined) return undefined
  return {
    status: 200,
    headers: {
      ...securityHeaders,
      ...(isLogo && { "content-security-policy": pictureOnly }),
      "cache-control": url.endsWith(`?${file.hash}`) ? "private, max-age=86400" : "no-cache",
      "content-type": file.type,
    },
    body: file.content,
  }
}
