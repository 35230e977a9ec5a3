import * as Result from "effect/Result"
import { TaggedError } from "../../runtime/error.ts"

/** The flaws of a tax id, in the order of their checks. */
export type InvalidTaxIdReason = "character" | "length" | "mask" | "repeated" | "checkDigits"

/** `taxId` if either kind was possible and the length fits neither. */
export type TaxIdKind = "cpf" | "cnpj" | "taxId"

const names: Record<TaxIdKind, string> = { cpf: "CPF", cnpj: "CNPJ", taxId: "CPF or CNPJ" }

const lengths: Record<TaxIdKind, string> = { cpf: "11", cnpj: "14", taxId: "11 or 14" }

const explain = (kind: TaxIdKind, reason: InvalidTaxIdReason): string => {
  switch (reason) {
    case "character":
      return kind === "cpf"
        ? "A CPF must have digits only"
        : `A ${names[kind]} must have digits and capital letters only, with digits as its check digits`
    case "length":
      return `A ${names[kind]} must have ${lengths[kind]} characters without punctuation`
    case "mask":
      return `A ${names[kind]} must be written without punctuation or as ${kind === "cpf" ? "000.000.000-00" : "00.000.000/0000-00"}`
    case "repeated":
      return `A ${names[kind]} is never one character repeated`
    case "checkDigits":
      return `The check digits of the ${names[kind]} don't fit the rest: it has a typing error`
  }
}

/**
 * A text that is no CPF or CNPJ; `reason` names the first flaw. The error doesn't contain the text (decision 25).
 *
 * @remedy Correct the CPF or CNPJ, as the message says; give a company's CNPJ as a string.
 * @repeat No, only with another CPF or CNPJ.
 */
export class InvalidTaxId extends TaggedError("InvalidTaxId")<{
  readonly kind: TaxIdKind
  readonly reason: InvalidTaxIdReason
}> {
  override get message(): string {
    return `${explain(this.kind, this.reason)}.`
  }
}

export const invalidTaxId = (kind: TaxIdKind, reason: InvalidTaxIdReason): Result.Result<never, InvalidTaxId> =>
  Result.fail(new InvalidTaxId({ kind, reason }))

export const separators = /[./-]/g

export const shapeFlaw = (text: string, allowed: RegExp, length: number): InvalidTaxIdReason => {
  if (!allowed.test(text)) return "character"
  return text.replace(separators, "").length === length ? "mask" : "length"
}
