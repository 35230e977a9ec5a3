import type { Branding } from "../brand/Branding.ts"
import { brandPaths } from "../brand/brandReply.ts"
import { type Markup, markup } from "../view/markup.ts"
import { pageTexts } from "./pageTexts.ts"

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
