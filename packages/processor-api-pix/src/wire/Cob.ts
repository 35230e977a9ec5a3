import type { AdditionalInfo } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Conditions, readConditions } from "./Conditions.ts"
import { Day, Instant } from "./Instant.ts"
import { Amount, toText, Count, Elements, lenient, looseStruct, readFilled, readTrimmed, Text } from "./Loose.ts"
import { findPaymentFlaws, type PspPayment, readPayment } from "./PixBody.ts"
import { type Reader, makeReader, readEntries, UnreadableAnswer } from "./Reader.ts"
import { readPayer, type ShownPayer } from "./ShownPayer.ts"

/** A charge as the bank knows it (`CobCompleta`, `CobVCompleta`). */
export interface PspCharge {
  readonly txid?: string
  /** The key that it pays, where the bank shows it. */
  readonly pixKey?: string
  readonly status: "active" | "completed" | "removed"
  /** Epoch milliseconds. */
  readonly createdAt?: number
  /** `YYYY-MM-DD`; only a due-date charge has one. */
  readonly dueDate?: string
  /** For how many seconds from its creation an immediate charge is payable. */
  readonly payableForSeconds?: number
  /** What the payer is shown, as far as the bank says it. */
  readonly messageToPayer?: string
  readonly additionalInfo: ReadonlyArray<AdditionalInfo>
  readonly amountCents: Cents
  /** Whom it is addressed to, as far as the bank shows it. */
  readonly payer?: ShownPayer
  /** The copy-and-paste code, unchecked. */
  readonly brCode?: string
  /** Where the charge's payload lies, without a scheme. */
  readonly location?: string
  readonly payments: ReadonlyArray<PspPayment>
  readonly conditions: Conditions
  /** What can't be read of its payments and their returns; absent where all can. */
  readonly flaws?: ReadonlyArray<UnreadableAnswer>
}

const Cob = looseStruct({
  txid: Schema.optional(Text),
  chave: lenient(Text),
  status: Text,
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

/** The manual's prose also writes `REMOVIDO`. A status of a later version counts as active: neither paid nor removed. */
const chargeStatus = (status: string): PspCharge["status"] => {
  if (/^conclu[ií]d[ao]$/i.test(status)) return "completed"
  return /^removid[ao]/i.test(status) ? "removed" : "active"
}

/** Where a payload lies, without a scheme. */
export const removeScheme = (location: string): string => location.replace(/^https:\/\//i, "")

const property = (json: unknown, field: string): unknown =>
  Predicate.hasProperty(json, field) ? json[field] : undefined

/** The readable lines, or a lone one: no money depends on the others. */
const additionalInfo = (entries: unknown): ReadonlyArray<AdditionalInfo> =>
  (Array.isArray(entries) ? entries : [entries]).flatMap((entry: unknown) => {
    const [name, value] = [toText(property(entry, "nome")), toText(property(entry, "valor"))]
    return name === undefined || value === undefined ? [] : [{ name, value }]
  })

const readCob = makeReader(Cob, (cob): Omit<PspCharge, "conditions"> => {
  const { txid, status, calendario, valor, devedor, pix } = cob
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

/** Reads the answer of a call for a charge's code. */
export const codeReader =
  (codeFields: ReadonlyArray<string>): Reader<string> =>
  (json) => {
    const fields = ["pixCopiaECola", ...codeFields]
    const code = readCodeAt(json, fields)
    return code === undefined ? Result.fail(new UnreadableAnswer({ fields })) : Result.succeed(code)
  }

/** Reads a charge that was created, changed or looked up; `codeFields` are further names of its copy-and-paste code. */
export const chargeReader =
  (codeFields: ReadonlyArray<string>): Reader<PspCharge> =>
  (json) =>
    Result.map(readCob(json), (charge) => {
      const elsewhere = readCodeAt(json, codeFields)
      const conditions = readConditions(Object(json))
      return { ...charge, conditions, ...(charge.brCode === undefined && elsewhere && { brCode: elsewhere }) }
    })

/** Reads the charge of this txid, in either case; an answer about another one fails. */
export const chargeReaderFor =
  (txid: string, codeFields: ReadonlyArray<string>): Reader<PspCharge> =>
  (json) =>
    Result.flatMap(chargeReader(codeFields)(json), (charge) =>
      (readTrimmed(charge.txid) ?? txid).toLowerCase() === txid
        ? Result.succeed(charge)
        : Result.fail(new UnreadableAnswer({ fields: ["txid"] })),
    )
