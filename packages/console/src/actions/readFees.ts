import type { FeesInput, Fine, Interest } from "@pixcharge/core/money"
import type { Form } from "@pixcharge/web"
import { formProblem } from "./formProblem.ts"
import { readAmount } from "./readAmount.ts"

const percent = /^(\d{1,4})(?:[.,](\d{1,2}))?$/

const readPercent = (text: string | undefined, field: string): number | undefined => {
  const written = (text ?? "").trim()
  if (written === "" || Number(written.replace(",", ".")) === 0) return undefined
  const [, whole = "", hundredths = ""] = percent.exec(written) ?? []
  if (whole === "") throw formProblem(`${field} must be a percentage with two decimals at most, like 2 or 0.5.`)
  return Number(whole) * 100 + Number(hundredths.padEnd(2, "0"))
}

/** Reads the fees of a form; undefined if there are no fees. Throws `InvalidOption`. */
export const readFees = (form: Form): FeesInput | undefined => {
  const fine = readPercent(form["fine"], "The fine")
  const interest = readPercent(form["interest"], "The interest")
  const discount = readAmount(form["discount"], "The discount")
  if (fine === undefined && interest === undefined && discount === undefined) return undefined
  return {
    ...(fine !== undefined && { fine: { kind: "percent", basisPoints: fine } satisfies Fine }),
    ...(interest !== undefined && {
      interest: { kind: "percentPerMonth", days: "calendar", basisPoints: interest } satisfies Interest,
    }),
    ...(discount !== undefined && {
      discount: { kind: "fixedUntil", tiers: [{ daysBefore: 1, amountCents: discount }] },
    }),
  }
}
