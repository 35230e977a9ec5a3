import { formProblem } from "./formProblem.ts"

/** As Brazilians write it, with dots between thousands, or as programs do. */
const reais = /^(?:(\d{1,3}(?:\.\d{3}){1,3})(?:,(\d{1,2}))?|(\d{1,10})(?:[.,](\d{1,2}))?)$/

/** As the console's own pages show it, `R$ 1,234.56`: it can be copied. */
const shown = /^\d{1,3}(?:,\d{3}){1,3}\.\d{2}$/

const toPlainAmount = (text: string): string => {
  const amount = text.trim().replace(/^R\$\s?/, "")
  return shown.test(amount) ? amount.replaceAll(",", "") : amount
}

/** An amount in reais, `1.234,56`, `19.90`, `19,9` or `R$ 1,234.56`, in integer cents; undefined for an empty field. Throws `InvalidOption`. */
export const readAmount = (text: string | undefined, field: string): number | undefined => {
  const written = toPlainAmount(text ?? "")
  if (written === "") return undefined
  const [, thousands, thousandsCents, plain = thousands, cents = thousandsCents ?? ""] = reais.exec(written) ?? []
  if (plain === undefined) throw formProblem(`${field} must be an amount in reais, like 19.90.`)
  return Number(plain.replaceAll(".", "")) * 100 + Number(cents.padEnd(2, "0"))
}

/** As `readAmount`, for a field that can't be empty. */
export const requireAmount = (text: string | undefined, field: string): number => {
  const amountCents = readAmount(text, field)
  if (amountCents === undefined) throw formProblem(`${field} is missing.`)
  return amountCents
}
