import type { Cents } from "@pixcharge/core/money"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Amount, Instant, looseList, looseStruct, Text } from "./Loose.ts"
import { Pix, type PspPayment, toPayment } from "./PixBody.ts"
import { type Reader, makeReader, UnreadableAnswer } from "./Reader.ts"

/** A charge as the bank knows it (`CobCompleta`, `CobVCompleta`). */
export interface PspCharge {
  readonly txid?: string
  readonly status: "active" | "completed" | "removed"
  /** Epoch milliseconds. */
  readonly createdAt?: number
  /** `YYYY-MM-DD`; only a due-date charge has one. */
  readonly dueDate?: string
  readonly amountCents: Cents
  /** CPF or CNPJ of the payer it is addressed to. */
  readonly payerTaxId?: string
  /** The copy-and-paste code, unchecked. */
  readonly brCode?: string
  /** Where the charge's payload lies, without a scheme. */
  readonly location?: string
  readonly payments: ReadonlyArray<PspPayment>
}

const Cob = looseStruct({
  txid: Schema.optional(Text),
  status: Text,
  calendario: Schema.optional(
    looseStruct({ criacao: Schema.optional(Instant), dataDeVencimento: Schema.optional(Text) }),
  ),
  valor: looseStruct({ original: Amount }),
  devedor: Schema.optional(looseStruct({ cpf: Schema.optional(Text), cnpj: Schema.optional(Text) })),
  pixCopiaECola: Schema.optional(Text),
  location: Schema.optional(Text),
  loc: Schema.optional(looseStruct({ location: Schema.optional(Text) })),
  pix: Schema.optional(looseList(Pix)),
})

/** The manual's prose also writes `REMOVIDO`. A status of a later version counts as active: neither paid nor removed. */
const chargeStatus = (status: string): PspCharge["status"] => {
  if (status === "CONCLUIDA") return "completed"
  return status.startsWith("REMOVID") ? "removed" : "active"
}

const withoutScheme = (location: string): string => location.replace(/^https:\/\//i, "")

const filled = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

const readCob = makeReader(Cob, (cob): PspCharge => {
  const { txid, status, calendario, valor, devedor, pix } = cob
  const payerTaxId = filled(devedor?.cpf) ?? filled(devedor?.cnpj)
  const brCode = filled(cob.pixCopiaECola)
  const location = filled(cob.location) ?? filled(cob.loc?.location)
  return {
    status: chargeStatus(status),
    amountCents: valor.original,
    payments: (pix ?? []).map(toPayment),
    ...(txid !== undefined && { txid }),
    ...(calendario?.criacao !== undefined && { createdAt: calendario.criacao }),
    ...(calendario?.dataDeVencimento !== undefined && { dueDate: calendario.dataDeVencimento }),
    ...(payerTaxId !== undefined && { payerTaxId }),
    ...(brCode !== undefined && { brCode }),
    ...(location !== undefined && { location: withoutScheme(location) }),
  }
})

const textAt = (json: unknown, field: string): string | undefined => {
  const value = Predicate.hasProperty(json, field) ? json[field] : undefined
  return typeof value === "string" ? filled(value) : undefined
}

const codeAt = (json: unknown, codeFields: ReadonlyArray<string>): string | undefined =>
  codeFields.map((field) => textAt(json, field)).find((text) => text !== undefined)

/** Reads the answer of a call for a charge's code. */
export const codeReader =
  (codeFields: ReadonlyArray<string>): Reader<string> =>
  (json) => {
    const fields = ["pixCopiaECola", ...codeFields]
    const code = codeAt(json, fields)
    return code === undefined ? Result.fail(new UnreadableAnswer({ fields })) : Result.succeed(code)
  }

/** Reads a charge that was created, changed or looked up; `codeFields` are further names of its copy-and-paste code. */
export const chargeReader =
  (codeFields: ReadonlyArray<string>): Reader<PspCharge> =>
  (json) =>
    Result.map(readCob(json), (charge) => {
      const elsewhere = codeAt(json, codeFields)
      return charge.brCode !== undefined || elsewhere === undefined ? charge : { ...charge, brCode: elsewhere }
    })

/** Reads the charge of this txid, in either case; an answer about another one fails. */
export const chargeReaderFor =
  (txid: string, codeFields: ReadonlyArray<string>): Reader<PspCharge> =>
  (json) =>
    Result.flatMap(chargeReader(codeFields)(json), (charge) =>
      (filled(charge.txid) ?? txid).toLowerCase() === txid
        ? Result.succeed(charge)
        : Result.fail(new UnreadableAnswer({ fields: ["txid"] })),
    )
