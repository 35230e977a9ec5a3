import { isValidCnpj } from "../party/Cnpj.ts"
import { isValidCpf } from "../party/Cpf.ts"
import { type BrCodeViolation, violation } from "./InvalidBrCode.ts"

const longest = 77

/** The registry (DICT) writes random keys as lower-case UUIDs of any version. Spelt out, since engines are slow to count. */
const four = "[0-9a-f]".repeat(4)
const random = new RegExp(`^${four}${four}-${four}-${four}-${four}-${four}${four}${four}$`)

/** Country, area code, then 8 or 9 digits. */
const phone = /^\+55[1-9]{2}\d{8,9}$/

/** The DICT's own pattern for e-mail keys: lower case, labels of 1 to 63 characters. */
const email =
  /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

const elevenDigits = /^\d{11}$/
const cnpjShape = /^[0-9A-Z]{12}\d{2}$/

/**
 * A key that is read is any text without a space: whether it exists, only the DICT knows, and a code may outlive
 * its key (Manual §2.6).
 */
export const isReadableKey = (key: string): boolean => /^[!-~]+$/.test(key)

const field = "26.01"

/**
 * A key that is to be written has the form in which the DICT registers keys: CPF (11 digits), CNPJ (14, the first 12 also
 * capitals), phone (`+55`, area code, number), e-mail (lower case) or random key (lower-case UUID); 77 characters at most
 * (Manual §2.5.1, API DICT).
 *
 * CPF and CNPJ must check: a mobile number without its `+55` is eleven digits too, and would pay the owner of that CPF.
 */
export const writtenKeyViolation = (key: string): BrCodeViolation | undefined => {
  if (typeof key !== "string" || key === "") return violation(field, "missing", "is missing: a static code pays a key")
  if (key.length > longest) return violation(field, "size", `has ${key.length} characters, 77 at most`)
  if (random.test(key)) return undefined
  if (elevenDigits.test(key)) return isValidCpf(key) ? undefined : wrongDigits("CPF; a phone is written with +55")
  if (cnpjShape.test(key)) return isValidCnpj(key) ? undefined : wrongDigits("CNPJ")
  if (phone.test(key) || email.test(key)) return undefined
  return violation(field, "key", "is no CPF, CNPJ, +55 phone, lower-case e-mail or lower-case random key")
}

const wrongDigits = (kind: string): BrCodeViolation =>
  violation(field, "checkDigits", `has wrong check digits for a ${kind}`)
