import type { Exchange } from "@pixcharge/core"
import { type Html, html } from "@pixcharge/web"
import { type Branding, brandPaths } from "../shop/Branding.ts"
import { type Markup, markup } from "../view/markup.ts"
import { pageTexts } from "./pageTexts.ts"

/** Relative addresses from a page: they lead right below any prefix, also one that a proxy takes off. */
export interface Links {
  /** To the folder of all links and of the assets. */
  readonly root: string
  /** To the page of the link that was called. */
  readonly link: string
}

/** The length of an answer must not grow with its path. No page lies as deep, even with doubled slashes. */
const maxSteps = 16

/** The addresses from a request's page. Doubled slashes count, as in browsers. */
export const findLinks = ({ url }: Exchange): Links => {
  const path = url.replace(/\?.*/, "")
  // Stryker disable next-line Regex: a path begins with a slash
  const below = path.replace(/^\/+[^/]+\/?/, "")
  const segments = below.split("/")
  const steps = Math.min(segments.length - 1, maxSteps)
  const root = path.includes("/", path.search(/[^/]/)) ? `./${"../".repeat(steps)}` : "./pagar/"
  return { root, link: root + (segments.find((segment) => segment !== "") ?? "") }
}

/** What a page shows of the shop besides the charge. */
export interface ShopFace {
  readonly branding: Branding
  /** Where the page leads back to; undefined if the host names no address. */
  readonly returnUrl: string | undefined
  /** The whole address of the page's link, for previews. */
  readonly address: string
}

/** The shop's logo, or its name, at the top of the card; `link` is the relative way to the page's link. */
export const brandMark = (
  { branding: { name, logo } }: ShopFace,
  link: string,
  payeeName: string,
): Markup | undefined => {
  if (logo !== undefined)
    return markup`<p class="brand"><img src="${link}${brandPaths.logo}?${logo.hash}" alt="${name ?? payeeName}" height="48" /></p>`
  return name === undefined ? undefined : markup`<p class="brand">${name}</p>`
}

/** What a page's reader can do besides paying: a script shows what the browser can do. */
export const pageTools = ({ returnUrl }: ShopFace): Markup => markup`<div class="tools">
${returnUrl !== undefined && markup`<a class="act quiet back" href="${returnUrl}">${pageTexts.toShop}</a>`}
<button type="button" class="act quiet" data-share hidden>${pageTexts.share}</button>
<button type="button" class="act quiet" data-copy-link hidden>${pageTexts.copyLink}</button>
<p class="said" role="status" data-link-said></p>
</div>`

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
