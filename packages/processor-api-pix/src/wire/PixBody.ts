import type { RefundOrder } from "@pixcharge/core"
import { type Cents, decimalFromCents } from "@pixcharge/core/money"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Instant } from "./Instant.ts"
import {
  Amount,
  Elements,
  lenient,
  looseStruct,
  makeReader,
  readEntries,
  type Reader,
  scalar,
  Text,
  UnreadableAnswer,
} from "./Reader.ts"
import { type CountedPage, readCounts } from "./lists.ts"

/** A bank's return of a payment (`devolucao`). */
export interface PspReturn {
  readonly id: string
  readonly amountCents: Cents
  readonly status: "processing" | "returned" | "rejected"
  /** Whether the bank or the payer requested the return by the special return mechanism (`MED_*`). */
  readonly isDispute: boolean
  /** The time of the settlement, or of the request if that is missing. Epoch milliseconds. */
  readonly at?: number
  readonly reason?: string
}

export interface PspPayment {
  readonly endToEndId: string
  readonly txid?: string
  readonly amountCents: Cents
  /** Epoch milliseconds. */
  readonly paidAt: number
  readonly pixKey?: string
  readonly returns: ReadonlyArray<PspReturn>
  /** What is wrong with unreadable returns; absent if all can be read. */
  readonly flaws?: ReadonlyArray<UnreadableAnswer>
}

export const findPaymentFlaws = ({ flaws = [] }: PspPayment): ReadonlyArray<UnreadableAnswer> => flaws

const FilledText = Text.check(Schema.isNonEmpty())

const Sum = Amount.check(Schema.isGreaterThan(0))

const Times = looseStruct({ solicitacao: lenient(Instant), liquidacao: lenient(Instant) })

const Devolucao = looseStruct({
  id: FilledText,
  valor: Sum,
  natureza: lenient(Text),
  horario: lenient(Times),
  status: FilledText,
  motivo: lenient(Text),
})

const endToEndIdForm = /^[a-zA-Z0-9]{32}$/

const decodeInstant = Schema.decodeUnknownOption(Instant)
const decodeTimes = Schema.decodeUnknownOption(Times)

/** Some banks write a payment's instant in the form that API Pix has for a return's instants. */
const PaidAt = scalar(Schema.Number, (value) => {
  if (!Predicate.isObject(value)) return Option.getOrUndefined(decodeInstant(value))
  const { liquidacao, solicitacao } = Option.getOrElse(decodeTimes(value), () => ({}) as typeof Times.Type)
  return liquidacao ?? solicitacao
})

const Pix = looseStruct({
  endToEndId: Text.check(Schema.isPattern(endToEndIdForm)),
  txid: Schema.optional(Text),
  valor: Sum,
  horario: PaidAt,
  chave: lenient(Text),
  devolucoes: Schema.optional(Elements),
})

/** An unknown status counts as `processing`, so the return is looked up again. */
const readReturnStatus = (status: string): PspReturn["status"] => {
  if (/^devolvid[ao]$/i.test(status)) return "returned"
  return /^n[aã]o[_ ]realizad[ao]$/i.test(status) ? "rejected" : "processing"
}

const toReturn = ({ id, valor, natureza, horario, status, motivo }: typeof Devolucao.Type): PspReturn => {
  const at = horario?.liquidacao ?? horario?.solicitacao
  return {
    id,
    amountCents: valor,
    status: readReturnStatus(status),
    isDispute: natureza?.startsWith("MED_") === true,
    ...(at !== undefined && { at }),
    ...(motivo !== undefined && { reason: motivo }),
  }
}

/** Reads a return (`devolucao`). Fails without id, amount or status. */
export const readReturn = makeReader(Devolucao, toReturn)

const toPayment = ({ endToEndId, txid, valor, horario, chave, devolucoes }: typeof Pix.Type): PspPayment => {
  const returns = readEntries(devolucoes, readReturn)
  return {
    endToEndId,
    amountCents: valor,
    paidAt: horario,
    returns: returns.read,
    ...(txid !== undefined && txid !== "" && { txid }),
    ...(chave !== undefined && chave !== "" && { pixKey: chave }),
    ...(returns.flaws.length > 0 && { flaws: returns.flaws }),
  }
}

/** Reads a payment (`GET /pix/{e2eid}`). Fails without endToEndId, amount or instant. */
export const readPayment = makeReader(Pix, toPayment)

/** Reads the return with this id. Fails for any other return. */
export const returnReaderFor =
  (id: string): Reader<PspReturn> =>
  (json) =>
    Result.flatMap(readReturn(json), (row) =>
      row.id.toLowerCase() === id.toLowerCase()
        ? Result.succeed(row)
        : Result.fail(new UnreadableAnswer({ fields: ["id"] })),
    )

/** One page of payments (`GET /pix`). */
export interface PspPaymentPage extends CountedPage {
  readonly payments: ReadonlyArray<PspPayment>
  readonly flaws: ReadonlyArray<UnreadableAnswer>
}

const PixConsultados = looseStruct({
  parametros: Schema.optional(Schema.Unknown),
  pix: Schema.optional(Elements),
})

const toPage = ({ parametros, pix = [] }: typeof PixConsultados.Type): PspPaymentPage => {
  const payments = readEntries(pix, readPayment)
  return {
    ...readCounts(parametros, pix, "endToEndId"),
    payments: payments.read,
    flaws: [...payments.flaws, ...payments.read.flatMap(findPaymentFlaws)],
  }
}

const readConsulted = makeReader(PixConsultados, (page) => page)

/** `PixConsultados`. An empty list can be missing if the answer repeats the request's parameters. */
export const readPaymentPage: Reader<PspPaymentPage> = (json) =>
  Result.flatMap(readConsulted(json), (page) =>
    page.pix === undefined && !Predicate.isObject(page.parametros)
      ? Result.fail(new UnreadableAnswer({ fields: ["pix"] }))
      : Result.succeed(toPage(page)),
  )

/** The body that requests a return (`DevolucaoSolicitada`). */
export const returnBody = (
  { amountCents, reason }: Pick<RefundOrder, "amountCents" | "reason">,
  { returnReason }: { readonly returnReason: "sent" | "leftOut" },
) => ({
  valor: decimalFromCents(amountCents),
  ...(reason !== undefined && returnReason === "sent" && { descricao: reason }),
})
