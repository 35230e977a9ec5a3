import type { Reply } from "@pixcharge/core"
import { securityHeaders } from "@pixcharge/web"
import { createHash } from "node:crypto"
import { type Brand, logoType } from "./Brand.ts"
import { black, type Colour, formatColour, parseColour, textOn, white, withContrast } from "./Colour.ts"

/** A file of a brand. Its hash is part of its address. */
export interface BrandFile {
  readonly type: string
  readonly content: string | Uint8Array
  readonly hash: string
}

export interface Branding {
  readonly name?: string | undefined
  readonly logo?: BrandFile | undefined
  readonly css?: BrandFile | undefined
}

const makeFile = (type: string, content: string | Uint8Array): BrandFile => ({
  type,
  content,
  hash: createHash("sha256").update(content).digest("base64url").slice(0, 12),
})

export const makeBranding = (brand: Brand): Branding => {
  const { name, logo } = brand
  const css = brandCss(brand)
  const type = logo && logoType(logo)
  return {
    name,
    logo: logo && type !== undefined ? makeFile(type, logo) : undefined,
    css: css === "" ? undefined : makeFile("text/css; charset=utf-8", css),
  }
}

/** The card's background in each scheme, and the dark scheme's text, equal to checkout.css. */
const lightSurface = white
const darkSurface: Colour = [0x18, 0x1c, 0x25]
const darkText: Colour = [0xed, 0xf0, 0xf5]

/** The contrast of text that WCAG 2.2 AA requires. */
const textRatio = 4.5
/** About the contrast between a dark scheme's own background and its text. */
const darkGroundRatio = 13

const accentRules = (accent: Colour) => {
  const [onLight, onDark] = [
    withContrast(accent, black, lightSurface, textRatio),
    withContrast(accent, white, darkSurface, textRatio),
  ]
  return {
    light: `.pix{--pix-accent:${formatColour(accent)};--pix-on-accent:${formatColour(textOn(accent))};--pix-accent-text:${formatColour(onLight)}}`,
    dark: `.pix{--pix-accent-text:${formatColour(onDark)}}`,
  }
}

const groundRules = (ground: Colour) => ({
  light: `body{background:${formatColour(ground)}}`,
  dark: `body{background:${formatColour(withContrast(ground, black, darkText, darkGroundRatio))}}`,
})

/** The stylesheet of a brand's colours, in light and dark; empty without colours. Texts in these colours keep their contrast. */
export const brandCss = ({ accent, background }: Brand): string => {
  const [button, ground] = [parseColour(accent), parseColour(background)]
  const rules = [...(button ? [accentRules(button)] : []), ...(ground ? [groundRules(ground)] : [])]
  if (rules.length === 0) return ""
  const [light, dark] = [rules.map((rule) => rule.light).join(""), rules.map((rule) => rule.dark).join("")]
  return `${light}@media (prefers-color-scheme:dark){${dark}}`
}

/** Paths below a link: every process serves them, and the link names the company. */
export const brandPaths = { logo: "/logo", css: "/marca.css" } as const

/** An SVG that a browser opens by itself can run no script and load no file. */
const pictureOnly = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

export const isBrandPath = (path: string): boolean => path === brandPaths.logo || path === brandPaths.css

/**
 * A file of the brand by its path below a link; undefined if there is none. Browsers cache it under the `url` with its hash. If
 * the `url` has another process's hash, browsers revalidate each time.
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
