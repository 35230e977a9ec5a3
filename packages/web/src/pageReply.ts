import type { Reply } from "@pixcharge/core"
import { type Asset, assetPath } from "./Asset.ts"
import { iconSvg, tokensCss } from "./assets.ts"
import type { Lang } from "./formatReais.ts"
import { type Html, html } from "./html.ts"
import { securityHeaders } from "./securityHeaders.ts"

/** The parts of a page. */
export interface Page {
  readonly title: string
  readonly lang: Lang
  /** The relative way from this page to the app's root, as its `PageRequest` has it. */
  readonly root: string
  /** The content of `<body>`. */
  readonly body: Html
  /** What `<head>` has besides, at its end. */
  readonly head?: Html
  /** Stylesheets besides `tokens.css`, which every page has. */
  readonly styles?: ReadonlyArray<Asset>
  /** Modules, run once the page is read. */
  readonly scripts?: ReadonlyArray<Asset>
  /** Default: 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A whole document as a reply that no cache keeps, with the headers that make it safe. */
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
