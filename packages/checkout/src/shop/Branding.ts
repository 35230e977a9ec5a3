import type { Reply } from "@pixcharge/core"
import { securityHeaders } from "@pixcharge/web"
import { createHash } from "node:crypto"
import { type Brand, logoType } from "./Brand.ts"
import { black, type Colour, formatColour, parseColour, textOn, white, withContrast } from "./Colour.ts"

/** A file of a brand. Its address contains its hash. */
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

const lightSurface = white
const darkSurface: Colour = [0x18, 0x1c, 0x25]
const darkText: Colour = [0xed, 0xf0, 0xf5]

/** The minimum contrast of text by WCAG 2.2 AA. */
const textRatio = 4.5
/** The minimum contrast of text on the dark background. */
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

/** For the light and the dark scheme; empty without colours. */
export const brandCss = ({ accent, background }: Brand): string => {
  const [button, ground] = [parseColour(accent), parseColour(background)]
  const rules = [...(button ? [accentRules(button)] : []), ...(ground ? [groundRules(ground)] : [])]
  if (rules.length === 0) return ""
  const [light, dark] = [rules.map((rule) => rule.light).join(""), rules.map((rule) => rule.dark).join("")]
  return `${light}@media (prefers-color-scheme:dark){${dark}}`
}

/** These paths follow a link, because the link names the company and every process can serve it. */
export const brandPaths = { logo: "/logo", css: "/marca.css" } as const

/** The policy that blocks scripts and external files in an SVG that a browser opens directly. */
const pictureOnly = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

export const isBrandPath = (path: string): boolean => path === brandPaths.logo || path === brandPaths.css

/** Undefined if the brand has no file at this path. Browsers cache a `url` with the file's hash, and revalidate it otherwise. */
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
