import { createHash } from "node:crypto"
import type { Brand } from "./Brand.ts"
import { brandCss } from "./brandCss.ts"
import { logoType } from "./logoType.ts"

/** What browsers load of a brand, with a hash: another content has another address. */
export interface BrandFile {
  readonly type: string
  readonly content: string | Uint8Array
  readonly hash: string
}

/** A brand as pages show it. */
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
