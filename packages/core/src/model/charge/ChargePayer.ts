import { isLegible, isShort } from "../../runtime/storable.ts"
import type { Payer } from "../party/Company.ts"

export interface PayerAddress {
  /** Street, number and district: 1 to 200 characters (API Pix: `logradouro`). */
  readonly street: string
  /** 1 to 200 characters (API Pix: `cidade`). */
  readonly city: string
  /** Two letters, like `SP` (API Pix: `uf`). */
  readonly state: string
  /** Eight digits; a request can also write them as `01310-100` (API Pix: `cep`). */
  readonly postalCode: string
}

/** A payer's contact, only in a charge with a due date. */
export interface PayerContact {
  readonly email?: string
  readonly address?: PayerAddress
}

export interface ChargePayer extends Payer, PayerContact {}

export const maxNameLength = 200

/** 1 to 200 characters, one of them visible (decision 8). */
export const isPayerName = (name: unknown): name is string =>
  typeof name === "string" && isShort(name, maxNameLength) && isLegible(name)

export const maxEmailLength = 254
const emailForm = /^[!-?A-~]+@[!-?A-~]+$/

export const parseEmail = (text: unknown): string | undefined =>
  typeof text === "string" && text.length <= maxEmailLength && emailForm.test(text) ? text : undefined

const stateForm = /^[A-Z]{2}$/
const postalCodeForm = /^\d{5}-?\d{3}$/

/** Trims and composes (NFC) the texts; removes the hyphen of the postal code. */
export const parseAddress = (given: unknown): PayerAddress | undefined => {
  const { street, city, state, postalCode } = Object(given) as Readonly<Record<keyof PayerAddress, unknown>>
  if (!isPayerName(street) || !isPayerName(city)) return undefined
  if (typeof state !== "string" || !stateForm.test(state)) return undefined
  if (typeof postalCode !== "string" || !postalCodeForm.test(postalCode)) return undefined
  const [shownStreet, shownCity] = [street, city].map((text) => text.normalize("NFC").trim()) as [string, string]
  return { street: shownStreet, city: shownCity, state, postalCode: postalCode.replace("-", "") }
}
