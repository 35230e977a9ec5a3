import type { AdditionalInfo } from "@pixcharge/core/charge"
import type { Cents } from "@pixcharge/core/money"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Amount, asText, Count, Instant, looseList, looseStruct, Text } from "./Loose.ts"
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
  /** For how many seconds from its creation an immediate charge is payable. */
  readonly payableForSeconds?: number
  /** What the payer is shown, as far as the bank says it. */
  readonly messageToPayer?: string
  readonly additionalInfo: ReadonlyArray<AdditionalInfo>
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
    looseStruct({
      criacao: Schema.optional(Instant),
      dataDeVencimento: Schema.optional(Text),
      expiracao: Schema.optional(Schema.Unknown),
    }),
  ),
  solicitacaoPagador: Schema.optional(Schema.Unknown),
  infoAdicionais: Schema.optional(Schema.Unknown),
  valor: looseStruct({ original: Amount }),
  devedor: Schema.optional(looseStruct({ cpf: Schema.optional(Text), cnpj: Schema.optional(Text) })),
  pixCopiaECola: Schema.optional(Text),
  location: Schema.optional(Text),
  loc: Schema.optional(looseStruct({ id: Schema.optional(Count), location: Schema.optional(Text) })),
  pix: Schema.optional(looseList(Pix)),
})

/** The manual's prose also writes `REMOVIDO`. A status of a later version counts as active: neither paid nor removed. */
const chargeStatus = (status: string): PspCharge["status"] => {
  if (status === "CONCLUIDA") return "completed"
  return status.startsWith("REMOVID") ? "removed" : "active"
}

const withoutScheme = (location: string): string => location.replace(/^https:\/\//i, "")

const property = (json: unknown, field: string): unknown =>
  Predicate.hasProperty(json, field) ? json[field] : undefined

const filled = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

const countOf = Schema.decodeUnknownOption(Count)

/** The lines that can be read, or the only one by itself: nobody's money hangs on the others. */
const additionalInfo = (entries: unknown): ReadonlyArray<AdditionalInfo> =>
  (Array.isArray(entries) ? entries : [entries]).flatMap((entry: unknown) => {
    const [name, value] = [asText(property(entry, "nome")), asText(property(entry, "valor"))]
    return name === undefined || value === undefined ? [] : [{ name, value }]
  })

const readCob = makeReader(Cob, (cob): PspCharge => {
  const { txid, status, calendario, valor, devedor, pix } = cob
  const payerTaxId = filled(devedor?.cpf) ?? filled(devedor?.cnpj)
  const brCode = filled(cob.pixCopiaECola)
  const seconds = Option.getOrUndefined(countOf(calendario?.expiracao))
  const messageToPayer = filled(asText(cob.solicitacaoPagador))
  const location = filled(cob.location) ?? filled(cob.loc?.location)
  return {
    status: chargeStatus(status),
    amountCents: valor.original,
    payments: (pix ?? []).map(toPayment),
    ...(txid !== undefined && { txid }),
    ...(calendario?.criacao !== undefined && { createdAt: calendario.criacao }),
    ...(calendario?.dataDeVencimento !== undefined && { dueDate: calendario.dataDeVencimento }),
    ...(seconds !== undefined && { payableForSeconds: seconds }),
    ...(messageToPayer !== undefined && { messageToPayer }),
    additionalInfo: additionalInfo(cob.infoAdicionais),
    ...(payerTaxId !== undefined && { payerTaxId }),
    ...(brCode !== undefined && { brCode }),
    ...(location !== undefined && { location: withoutScheme(location) }),
  }
})

const textAt = (json: unknown, field: string): string | undefined => {
  const value = property(json, field)
  return typeof value === "string" ? filled(value) : undefined
}

/** Reads a charge that was created, changed or looked up; `codeFields` are further names of its copy-and-paste code. */
export const chargeReader =
  (codeFields: ReadonlyArray<string>): Reader<PspCharge> =>
  (json) =>
    Result.map(readCob(json), (charge) => {
      const elsewhere = codeFields.map((field) => textAt(json, field)).find((text) => text !== undefined)
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
