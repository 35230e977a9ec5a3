import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { Amount, Count, Elements, looseStruct } from "./Loose.ts"

/** What a charge asks for besides its amount: a text for each field that is shown and can be read, in one form for all banks. */
export type Conditions = Readonly<Record<string, string>>

const nothing = "nothing"

const decodeCount = Schema.decodeUnknownOption(Count)
const decodeShare = Schema.decodeUnknownOption(looseStruct({ modalidade: Count, valorPerc: Amount }))
const decodeDated = Schema.decodeUnknownOption(looseStruct({ modalidade: Count, descontoDataFixa: Elements }))
const decodeValue = Schema.decodeUnknownOption(looseStruct({ valorPerc: Amount }))

/** The days of a discount are left out: banks move them to business days. */
const readDated = (value: unknown) =>
  Option.flatMap(decodeDated(value), ({ modalidade, descontoDataFixa }) =>
    Option.map(Option.all(descontoDataFixa.map((one) => decodeValue(one))), (shares) =>
      [modalidade, ...shares.map(({ valorPerc }) => valorPerc).toSorted((a, b) => a - b)].join(" "),
    ),
  )

const readShare = (value: unknown) =>
  Option.orElse(
    Option.map(decodeShare(value), ({ modalidade, valorPerc }) =>
      valorPerc === 0 ? nothing : `${modalidade} ${valorPerc}`,
    ),
    () => readDated(value),
  )

const readCount = (value: unknown) => Option.map(decodeCount(value), (count) => (count === 0 ? nothing : String(count)))

/** Money that the payer may take out with the payment. */
const readWithdrawal = (value: unknown) =>
  Predicate.isObject(value) ? Option.some(Object.keys(value).length === 0 ? nothing : "withdrawal") : Option.none()

const readers = {
  multa: readShare,
  juros: readShare,
  abatimento: readShare,
  desconto: readShare,
  modalidadeAlteracao: readCount,
  retirada: readWithdrawal,
  validadeAposVencimento: readCount,
} as const

/** Reads the conditions of a charge, of the body that makes it or of a bank's answer. */
export const readConditions = (charge: { readonly valor?: unknown; readonly calendario?: unknown }): Conditions => {
  const fields: Readonly<Record<string, unknown>> = { ...Object(charge.calendario), ...Object(charge.valor) }
  return Object.fromEntries(
    Object.entries(readers).flatMap(([field, read]) =>
      fields[field] === undefined
        ? []
        : Option.toArray(Option.map(read(fields[field]), (text) => [field, text] as const)),
    ),
  )
}

/** Whether all that a bank shows was ordered; what it doesn't show, or writes in another form, contradicts nothing. */
export const hasSameConditions = (ordered: Conditions, shown: Conditions): boolean =>
  Object.entries(shown).every(([field, text]) => text === (ordered[field] ?? nothing))
