import { nextBusinessDay, parseLocalDate } from "@pixcharge/core/calendar"
import type { AdditionalInfo } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Day, Instant } from "./Instant.ts"
import { findPaymentFlaws, type PspPayment, readPayment } from "./PixBody.ts"
import {
  Amount,
  Count,
  Elements,
  lenient,
  looseStruct,
  makeReader,
  readEntries,
  type Reader,
  readFields,
  readFilled,
  readTrimmed,
  Text,
  toText,
  UnreadableAnswer,
} from "./Reader.ts"

/** A bank's charge (`CobCompleta`, `CobVCompleta`). */
export interface PspCharge {
  readonly txid?: string
  readonly pixKey?: string
  readonly status: "active" | "completed" | "removed"
  /** How often the charge was changed (`revisao`). */
  readonly revision?: number
  /** Epoch milliseconds. */
  readonly createdAt?: number
  /** `YYYY-MM-DD`. Only due-date charges have it. */
  readonly dueDate?: string
  /** Seconds from creation during which an immediate charge is payable. */
  readonly payableForSeconds?: number
  readonly messageToPayer?: string
  readonly additionalInfo: ReadonlyArray<AdditionalInfo>
  readonly amountCents: Cents
  readonly payer?: ShownPayer
  /** The copy-and-paste code, unchecked. */
  readonly brCode?: string
  /** The URL of the charge's payload, without a scheme. */
  readonly location?: string
  readonly payments: ReadonlyArray<PspPayment>
  readonly conditions: Conditions
  /** What is wrong with unreadable payments and returns; absent if all can be read. */
  readonly flaws?: ReadonlyArray<UnreadableAnswer>
}

const Cob = looseStruct({
  txid: Schema.optional(Text),
  chave: lenient(Text),
  status: Text,
  revisao: lenient(Count),
  calendario: lenient(
    looseStruct({ criacao: lenient(Instant), dataDeVencimento: lenient(Day), expiracao: lenient(Count) }),
  ),
  solicitacaoPagador: lenient(Text),
  infoAdicionais: Schema.optional(Schema.Unknown),
  valor: looseStruct({ original: Amount }),
  devedor: Schema.optional(Schema.Unknown),
  pixCopiaECola: lenient(Text),
  location: lenient(Text),
  loc: lenient(looseStruct({ location: lenient(Text) })),
  pix: Schema.optional(Elements),
})

/** The central bank's manual also mentions `REMOVIDO`. An unknown status counts as active. */
const chargeStatus = (status: string): PspCharge["status"] => {
  if (/^conclu[ií]d[ao]$/i.test(status)) return "completed"
  return /^removid[ao]/i.test(status) ? "removed" : "active"
}

export const removeScheme = (location: string): string => location.replace(/^https:\/\//i, "")

const property = (json: unknown, field: string): unknown =>
  Predicate.hasProperty(json, field) ? json[field] : undefined

/** Skips unreadable lines: they don't affect money. */
const additionalInfo = (entries: unknown): ReadonlyArray<AdditionalInfo> =>
  (Array.isArray(entries) ? entries : [entries]).flatMap((entry: unknown) => {
    const [name, value] = [toText(property(entry, "nome")), toText(property(entry, "valor"))]
    return name === undefined || value === undefined ? [] : [{ name, value }]
  })

const readCob = makeReader(Cob, (cob): Omit<PspCharge, "conditions"> => {
  const { txid, status, revisao, calendario, valor, devedor, pix } = cob
  const payer = readPayer(devedor)
  const pixKey = readTrimmed(cob.chave)
  const brCode = readTrimmed(cob.pixCopiaECola)
  const messageToPayer = readFilled(cob.solicitacaoPagador)
  const location = readTrimmed(cob.location) ?? readTrimmed(cob.loc?.location)
  const payments = readEntries(pix, readPayment)
  const flaws = [...payments.flaws, ...payments.read.flatMap(findPaymentFlaws)]
  return {
    status: chargeStatus(status),
    amountCents: valor.original,
    payments: payments.read,
    ...(txid !== undefined && { txid }),
    ...(revisao !== undefined && { revision: revisao }),
    ...(pixKey !== undefined && { pixKey }),
    ...(calendario?.criacao !== undefined && { createdAt: calendario.criacao }),
    ...(calendario?.dataDeVencimento !== undefined && { dueDate: calendario.dataDeVencimento }),
    ...(payer !== undefined && { payer }),
    ...(calendario?.expiracao !== undefined && { payableForSeconds: calendario.expiracao }),
    ...(messageToPayer !== undefined && { messageToPayer }),
    additionalInfo: additionalInfo(cob.infoAdicionais),
    ...(brCode !== undefined && { brCode }),
    ...(location !== undefined && { location: removeScheme(location) }),
    ...(flaws.length > 0 && { flaws }),
  }
})

const readTextAt = (json: unknown, field: string): string | undefined => {
  const value = property(json, field)
  return typeof value === "string" ? readTrimmed(value) : undefined
}

const readCodeAt = (json: unknown, codeFields: ReadonlyArray<string>): string | undefined =>
  codeFields.map((field) => readTextAt(json, field)).find((text) => text !== undefined)

export const codeReader =
  (codeFields: ReadonlyArray<string>): Reader<string> =>
  (json) => {
    const fields = ["pixCopiaECola", ...codeFields]
    const code = readCodeAt(json, fields)
    return code === undefined ? Result.fail(new UnreadableAnswer({ fields })) : Result.succeed(code)
  }

/** `codeFields` are further names of the copy-and-paste code. */
export const chargeReader =
  (codeFields: ReadonlyArray<string>): Reader<PspCharge> =>
  (json) =>
    Result.map(readCob(json), (charge) => {
      const furtherCode = readCodeAt(json, codeFields)
      const conditions = readConditions(Object(json))
      return { ...charge, conditions, ...(charge.brCode === undefined && furtherCode && { brCode: furtherCode }) }
    })

/** In upper or lower case. Fails for another charge. */
export const chargeReaderFor =
  (txid: string, codeFields: ReadonlyArray<string>): Reader<PspCharge> =>
  (json) =>
    Result.flatMap(chargeReader(codeFields)(json), (charge) =>
      (readTrimmed(charge.txid) ?? txid).toLowerCase() === txid
        ? Result.succeed(charge)
        : Result.fail(new UnreadableAnswer({ fields: ["txid"] })),
    )

/** A charge's payer (`devedor`). Some digits of a tax id can be masked, and one payer can have two tax ids. */
export interface ShownPayer {
  /** CPF or CNPJ without punctuation; empty if not shown. */
  readonly taxIds: ReadonlyArray<string>
}

const punctuation = /[\s./-]/g
const isFilled = (value: unknown): boolean => (toText(value) ?? "").trim() !== ""

/** A tax id of only zeros or only mask characters counts as not shown. */
const none = /^(?:0*|[*•#x]*)$/i

const readTaxId = (value: unknown, digits: number): ReadonlyArray<string> => {
  const written = toText(value)?.replace(punctuation, "") ?? ""
  const text = typeof value === "number" ? written.padStart(digits, "0") : written
  return none.test(text) ? [] : [text]
}

/** Undefined if `devedor` is absent or has no filled field. */
export const readPayer = (devedor: unknown): ShownPayer | undefined => {
  if (!Predicate.isObject(devedor)) return isFilled(devedor) ? { taxIds: [] } : undefined
  const taxIds = [...readTaxId(devedor["cpf"], 11), ...readTaxId(devedor["cnpj"], 14)]
  return taxIds.length > 0 || Object.values(devedor).some(isFilled) ? { taxIds } : undefined
}

const isMask = (character: string | undefined, isCpf: boolean): boolean =>
  character === "*" || character === "•" || character === "#" || (isCpf && (character === "x" || character === "X"))

/** Some digits of the shown tax id can be masked, like `***98224725` or `***982247**`. */
const mayBeTaxId = (shown: string, taxId: string): boolean =>
  shown.length === taxId.length &&
  [...taxId].every((character, index) => isMask(shown[index], taxId.length === 11) || shown[index] === character)

export const mayHaveTaxId = ({ taxIds }: ShownPayer, taxId: string): boolean =>
  taxIds.length === 0 || taxIds.some((shown) => mayBeTaxId(shown, taxId))

/** A charge's conditions, except its amount: one normalized string for each readable field. */
export type Conditions = Readonly<Record<string, string>>

const nothing = "nothing"

const decodeCount = Schema.decodeUnknownOption(Count)
const decodeShare = Schema.decodeUnknownOption(looseStruct({ modalidade: Count, valorPerc: Amount }))
const decodeDated = Schema.decodeUnknownOption(looseStruct({ modalidade: Count, descontoDataFixa: Elements }))
const decodeTier = Schema.decodeUnknownOption(looseStruct({ data: Day, valorPerc: Amount }))

/** Moves the day to a business day, because banks do. */
const readTier = (value: unknown) =>
  Option.flatMap(decodeTier(value), ({ data, valorPerc }) =>
    Option.map(Result.getSuccess(parseLocalDate(data)), (day) => `${nextBusinessDay(day)} ${valorPerc}`),
  )

const readDated = (value: unknown) =>
  Option.flatMap(decodeDated(value), ({ modalidade, descontoDataFixa }) =>
    Option.map(Option.all(descontoDataFixa.map(readTier)), (tiers) => [modalidade, ...tiers.toSorted()].join(" ")),
  )

const readShare = (value: unknown) =>
  Option.orElse(
    Option.map(decodeShare(value), ({ modalidade, valorPerc }) =>
      valorPerc === 0 ? nothing : `${modalidade} ${valorPerc}`,
    ),
    () => readDated(value),
  )

const readCount = (value: unknown) => Option.map(decodeCount(value), (count) => (count === 0 ? nothing : String(count)))

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

/** Ignores omitted and unreadable fields. */
export const hasSameConditions = (ordered: Conditions, shown: Conditions): boolean =>
  Object.entries(shown).every(([field, text]) => text === (ordered[field] ?? nothing))

export const readCreation = (charge: Readonly<Record<string, unknown>>): unknown =>
  readFields(charge["calendario"])["criacao"]
