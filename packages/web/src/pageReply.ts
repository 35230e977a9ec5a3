import type { Reply } from "@pixcharge/core"
import { type Asset, assetPath } from "./Asset.ts"
import { iconSvg, tokensCss } from "./assets.ts"
import type { Lang } from "./formats.ts"
import { type Html, html } from "./html.ts"

/** The headers of every answer of an app. They forbid inline code, foreign content and frames around the page. */
export const securityHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const

/** The parts of a page. */
export interface Page {
  readonly title: string
  readonly lang: Lang
  /** The relative address of the app's root, from the page's `PageRequest`. */
  readonly root: string
  /** The content of `<body>`. */
  readonly body: Html
  /** Further content at the end of `<head>`. */
  readonly head?: Html
  /** Stylesheets in addition to `tokens.css`. */
  readonly styles?: ReadonlyArray<Asset>
  /** Modules, run after the page is parsed. */
  readonly scripts?: ReadonlyArray<Asset>
  /** Default: 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Makes a whole document with `securityHeaders` that isn't cached. */
export const pageReply = async ({
  title,
  lang,
  root,
  body,
  head,
  styles = [],
  scripts = [],
  status = 200,
  headers,
}: Page): Promise<Reply> => {
  const address = (asset: Asset) => root + assetPath(asset)
  const document = await html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="${address(iconSvg)}" type="${iconSvg.type}" />
        ${[tokensCss, ...styles].map((style) => html`<link rel="stylesheet" href="${address(style)}" />`)}
        ${scripts.map((script) => html`<script type="module" src="${address(script)}"></script>`)} ${head}
      </head>
      <body>
        ${body}
      </body>
    </html>`
  return {
    status,
    headers: {
      ...securityHeaders,
      "cache-control": "no-store",
      "content-type": "text/html; charset=utf-8",
      ...headers,
    },
    body: String(document),
  }
}

/** Characters that are invalid in a header, or in a URL without encoding. */
const unwritable = /[^\x21-\x7e]+/g

/**
 * Redirects to another page after a form (303).
 *
 * `location` is relative to the page, like links: `root + "charges"`. Characters that are invalid in a header are
 * percent-encoded, so a stranger's text can't end the header.
 */
export const redirectReply = (location: string): Reply => ({
  status: 303,
  headers: {
    ...securityHeaders,
    "cache-control": "no-store",
    location: location.replaceAll(unwritable, encodeURIComponent),
  },
  body: "",
})
