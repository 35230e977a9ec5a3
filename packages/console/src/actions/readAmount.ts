import { formProblem } from "./formProblem.ts"

const reais = /^(\d{1,10})(?:[.,](\d{1,2}))?$/

/** An amount in reais, `19.90` or `19,9`, in integer cents; undefined for an empty field. Throws `InvalidOption`. */
export const readAmount = (text: string | undefined, field: string): number | undefined => {
  const written = (text ?? "").trim()
  if (written === "") return undefined
  const [, whole = "", cents = ""] = reais.exec(written) ?? []
  if (whole === "") throw formProblem(`${field} must be an amount in reais, like 19.90.`)
  return Number(whole) * 100 + Number(cents.padEnd(2, "0"))
}
