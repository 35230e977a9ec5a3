import { isLegible, isShort, isStorableText } from "../../runtime/storable.ts"

/** A shop's own texts about a charge. Not sent to banks and payers. */
export interface ShopTexts {
  /** The shop's name for the charge, such as an order number; need not be unique. */
  readonly reference?: string
  /** Never empty. */
  readonly metadata?: Readonly<Record<string, string>>
}

const maxReferenceLength = 100
export const maxMetadata = 20
// Stripe has the same bounds for names and values.
const maxNameLength = 40
export const maxMetadataValue = 500

/** Trims and composes (NFC); undefined if the reference breaks its rule. */
export const parseReference = (given: unknown): string | undefined => {
  if (typeof given !== "string") return undefined
  const reference = given.normalize("NFC").trim()
  return isShort(reference, maxReferenceLength) && isLegible(reference) ? reference : undefined
}

const isPlainObject = (given: unknown): given is object => {
  if (typeof given !== "object" || given === null) return false
  const prototype: unknown = Object.getPrototypeOf(given)
  // Another realm has another `Object.prototype`.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** `__proto__` or `constructor` would read or set a property of every object. */
const isName = (name: string): boolean => isShort(name, maxNameLength) && isLegible(name) && !(name in {})

const isValue = (value: unknown): value is string =>
  typeof value === "string" && isShort(value, maxMetadataValue) && isStorableText(value)

/** A copy; undefined if it breaks its rule. */
export const parseMetadata = (given: unknown): Readonly<Record<string, string>> | undefined => {
  const entries = isPlainObject(given) ? Object.entries<unknown>({ ...given }) : undefined
  if (entries === undefined || entries.length > maxMetadata) return undefined
  const metadata: Record<string, string> = {}
  for (const [name, value] of entries) {
    if (!isName(name) || !isValue(value)) return undefined
    metadata[name] = value
  }
  return metadata
}

export const shopTexts = ({ reference, metadata }: ShopTexts): ShopTexts => ({
  ...(reference !== undefined && { reference }),
  ...(metadata && { metadata }),
})
