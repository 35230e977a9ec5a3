import type { BrCodeMerchant } from "./BrCode.ts"
import { withoutAccents } from "./Characters.ts"
import { maxCityLength, maxNameLength } from "./FieldRules.ts"

/** What stands where nothing of a text can be written: payers' apps show the name of the key's registry anyway. */
const anyName = "Recebedor"
const anyCity = "Brasil"

const fit = (text: string, maxSize: number): string =>
  withoutAccents(text)
    .replace(/[^\x21-\x7e]+/g, " ")
    .trim()
    .slice(0, maxSize)
    .trimEnd()

/**
 * A receiver's name and city cut to what fields 59 and 60 hold: without accents, other characters dropped, 25 and 15
 * characters at most, never ending in a space.
 *
 * `encodeBrCode` itself cuts nothing; this is for callers that must have a code for any registered company.
 *
 * @example
 * ```ts
 * import { fitMerchant } from "@pixcharge/core/brcode"
 *
 * fitMerchant({ name: "Padaria São José", city: "São José dos Campos" }).merchantCity // => "Sao Jose dos Ca"
 * ```
 */
export const fitMerchant = (receiver: {
  readonly name: string
  readonly city: string
}): Pick<BrCodeMerchant, "merchantName" | "merchantCity"> => ({
  merchantName: fit(receiver.name, maxNameLength) || anyName,
  merchantCity: fit(receiver.city, maxCityLength) || anyCity,
})
