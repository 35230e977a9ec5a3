import { optionFlaw, type OptionRule, type OptionRules } from "@pixcharge/core/internal"
import { parseColour } from "./Colour.ts"
import { logoType } from "./logoType.ts"

/** How a shop shows itself on the payers' pages. Colours are `#rrggbb`; texts in them get a contrast of 4.5 at least. */
export interface Brand {
  /** The name that buyers know. The company's registered name stays on the page, as the payee. */
  readonly name?: string
  /** A picture, shown 48 pixels high on white: a PNG, JPEG, WebP or SVG of 64 KB at most. */
  readonly logo?: Uint8Array
  /** The colour of the main button. */
  readonly accent?: string
  /** The colour around the card; in the dark scheme a dark tone of it. */
  readonly background?: string
}

/** A brand, or a function of the host that finds a company's by its CNPJ; undefined for a neutral page. */
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

/** Why something is no brand, in words that go on a sentence. */
export const brandFlaw = (brand: unknown): string | undefined => optionFlaw<Brand>(brand, rules)

/** The rule of the option `brand`. */
export const aBrand: OptionRule = {
  mustBe: "{ name, logo, accent, background }, or a function that returns them for a CNPJ",
  holds: (value) => typeof value === "function" || brandFlaw(value) === undefined,
  hint: brandFlaw,
}
