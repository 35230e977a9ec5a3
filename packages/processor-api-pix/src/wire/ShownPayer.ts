import * as Predicate from "effect/Predicate"
import { toText } from "./Loose.ts"

/** The payer of a charge as the bank shows it (`devedor`); documents may be masked, or there may be two of one payer. */
export interface ShownPayer {
  /** CPF or CNPJ without punctuation, as far as they are shown; none where a payer is named without. */
  readonly taxIds: ReadonlyArray<string>
}

const punctuation = /[\s./-]/g
const isFilled = (value: unknown): boolean => (toText(value) ?? "").trim() !== ""

/** Nothing of a document: zeros, or masks alone, of any length. */
const none = /^(?:0*|[*•#x]*)$/i

/** A number has lost the zeros in front. */
const readTaxId = (value: unknown, digits: number): ReadonlyArray<string> => {
  const written = toText(value)?.replace(punctuation, "") ?? ""
  const text = typeof value === "number" ? written.padStart(digits, "0") : written
  return none.test(text) ? [] : [text]
}

/** Reads `devedor`; undefined where it shows nobody: it is absent, empty, or none of its fields is filled. */
export const readPayer = (devedor: unknown): ShownPayer | undefined => {
  if (!Predicate.isObject(devedor)) return isFilled(devedor) ? { taxIds: [] } : undefined
  const taxIds = [...readTaxId(devedor["cpf"], 11), ...readTaxId(devedor["cnpj"], 14)]
  return taxIds.length > 0 || Object.values(devedor).some(isFilled) ? { taxIds } : undefined
}

const isMask = (character: string | undefined, isCpf: boolean): boolean =>
  character === "*" || character === "•" || character === "#" || (isCpf && (character === "x" || character === "X"))

/** Whether a document that may be masked, like `***98224725` or `***982247**`, can be this one. */
const mayBeTaxId = (shown: string, taxId: string): boolean =>
  shown.length === taxId.length &&
  [...taxId].every((character, at) => isMask(shown[at], taxId.length === 11) || shown[at] === character)

/** Whether the payer shown can have this CPF or CNPJ: one of its documents does, or it shows none. */
export const mayHaveTaxId = ({ taxIds }: ShownPayer, taxId: string): boolean =>
  taxIds.length === 0 || taxIds.some((shown) => mayBeTaxId(shown, taxId))
