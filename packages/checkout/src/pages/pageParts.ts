import type { Exchange } from "@pixcharge/core"
import { type Html, html } from "@pixcharge/web"
import { type Branding, brandPaths } from "../shop/Branding.ts"
import { type Markup, markup } from "../view/markup.ts"
import { pageTexts } from "./pageTexts.ts"

/** Relative addresses that work below every prefix, even if a proxy removes the prefix. */
export interface Links {
  /** The folder of all links and of the assets. */
  readonly root: string
  readonly link: string
}

/** The maximum number of `../`: a long path must not cause a long answer. */
const maxSteps = 16

export const findLinks = ({ url }: Exchange): Links => {
  const path = url.replace(/\?.*/, "")
  // Stryker disable next-line Regex: a path begins with a slash
  const below = path.replace(/^\/+[^/]+\/?/, "")
  const segments = below.split("/")
  const steps = Math.min(segments.length - 1, maxSteps)
  const root = path.includes("/", path.search(/[^/]/)) ? `./${"../".repeat(steps)}` : "./pagar/"
  return { root, link: root + (segments.find((segment) => segment !== "") ?? "") }
}

export interface ShopFace {
  readonly branding: Branding
  readonly returnUrl: string | undefined
  /** The absolute address of the link. Messengers need it for previews. */
  readonly address: string
}

export const brandMark = (
  { branding: { name, logo } }: ShopFace,
  link: string,
  payeeName: string,
): Markup | undefined => {
  if (logo !== undefined)
    return markup`<p class="brand"><img src="${link}${brandPaths.logo}?${logo.hash}" alt="${name ?? payeeName}" height="48" /></p>`
  return name === undefined ? undefined : markup`<p class="brand">${name}</p>`
}

/** The buttons are hidden. A script shows the buttons that the browser supports. */
export const pageTools = ({ returnUrl }: ShopFace): Markup => markup`<div class="tools">
${returnUrl !== undefined && markup`<a class="act quiet back" href="${returnUrl}">${pageTexts.toShop}</a>`}
<button type="button" class="act quiet" data-share hidden>${pageTexts.share}</button>
<button type="button" class="act quiet" data-copy-link hidden>${pageTexts.copyLink}</button>
<p class="said" role="status" data-link-said></p>
</div>`

export interface Preview {
  readonly title: string
  readonly text: string
  readonly shopName: string
  /** The rest of the path after the page's link. */
  readonly path: "" | "/comprovante"
}

export const brandedHead = ({ branding, address }: ShopFace, link: string, preview: Preview): Html => {
  const { css, logo } = branding
  // Messengers don't show SVG pictures.
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
