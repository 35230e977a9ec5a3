import { type Html, html } from "@pixcharge/web"
import { brandPaths } from "../brand/brandReply.ts"
import type { ShopFace } from "./ShopFace.ts"

/** What messengers show of a page's address. */
export interface Preview {
  readonly title: string
  readonly text: string
  readonly shopName: string
  /** The page's path below its link. */
  readonly path: "" | "/comprovante"
}

/** What a branded page has in its head: the stylesheet of its colours, and what messengers show of its address (Open Graph). */
export const brandedHead = ({ branding, address }: ShopFace, link: string, preview: Preview): Html => {
  const { css, logo } = branding
  // Messengers show no SVG.
  const image = logo === undefined || logo.type === "image/svg+xml" ? undefined : logo
  const { title, text, shopName, path } = preview
  return html`
    ${css && html`<link rel="stylesheet" href="${link}${brandPaths.css}?${css.hash}" />`}
    <meta property="og:type" content="website" />
    <meta property="og:locale" content="pt_BR" />
    <meta property="og:site_name" content="${shopName}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${text}" />
    <meta property="og:url" content="${address}${path}" />
    ${image && html`<meta property="og:image" content="${address}${brandPaths.logo}?${image.hash}" />`}
  `
}
