import { optionFlaw, type OptionRule, type OptionRules } from "@pixcharge/core/internal"
import { Buffer } from "node:buffer"
import { parseColour } from "./Colour.ts"

/** A shop's look on the payers' pages. Colours are `#rrggbb`. Text in or on a colour gets a contrast of at least 4.5. */
export interface Brand {
  /** The shop's name for its buyers. The page still names the company as the payee. */
  readonly name?: string
  /** A PNG, JPEG, WebP or SVG of at most 64 KB, shown 48 pixels high on white. */
  readonly logo?: Uint8Array
  /** The colour of the main button. */
  readonly accent?: string
  /** The colour around the card. The dark scheme uses a dark tone of it. */
  readonly background?: string
}

/** A brand, or a function of the host that returns a company's brand by CNPJ. If it returns undefined, the page is neutral. */
export type BrandOption = Brand | ((issuer: string) => Brand | undefined | Promise<Brand | undefined>)

const maxLogoBytes = 65_536
const maxNameLength = 60

const aColour: OptionRule = {
  mustBe: "a colour like #3650c4",
  holds: (value) => parseColour(value) !== undefined,
}

const rules: OptionRules<Brand> = {
  name: {
    mustBe: `a text of 1 to ${maxNameLength} characters`,
    holds: (value) => typeof value === "string" && value.trim() !== "" && value.length <= maxNameLength,
  },
  logo: {
    mustBe: "the bytes of a PNG, JPEG, WebP or SVG of 64 KB at most, as readFileSync returns them",
    holds: (value) => value instanceof Uint8Array && value.length <= maxLogoBytes && logoType(value) !== undefined,
  },
  accent: aColour,
  background: aColour,
}

/** The reason why a value isn't a valid brand, as the end of a sentence; undefined for a valid brand. */
export const brandFlaw = (brand: unknown): string | undefined => optionFlaw<Brand>(brand, rules)

export const aBrand: OptionRule = {
  mustBe: "{ name, logo, accent, background }, or a function that returns them for a CNPJ",
  holds: (value) => typeof value === "function" || brandFlaw(value) === undefined,
  hint: brandFlaw,
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47])
const jpegStart = Buffer.from([0xff, 0xd8, 0xff])

const skipProlog = (text: string): string => {
  const rest = text.trimStart()
  const [begin, end] = rest.startsWith("<?xml") ? ["<?xml", "?>"] : ["<!--", "-->"]
  const index = rest.startsWith(begin) ? rest.indexOf(end, begin.length) : -1
  return index < 0 ? rest : skipProlog(rest.slice(index + end.length))
}

/** The media type of a PNG, JPEG, WebP or SVG, by its first bytes; undefined for any other file. */
export const logoType = (bytes: Uint8Array): string | undefined => {
  const start = Buffer.from(bytes.subarray(0, 1024))
  const startsWith = (expected: Buffer): boolean => start.subarray(0, expected.length).equals(expected)
  if (startsWith(pngStart)) return "image/png"
  if (startsWith(jpegStart)) return "image/jpeg"
  if (start.toString("latin1", 0, 4) === "RIFF" && start.toString("latin1", 8, 12) === "WEBP") return "image/webp"
  return /^<svg[\s>]/.test(skipProlog(start.toString())) ? "image/svg+xml" : undefined
}
