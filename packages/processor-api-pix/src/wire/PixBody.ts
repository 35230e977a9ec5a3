import { type Cents, decimalFromCents } from "@pixcharge/core/money"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Amount, Count, Instant, listOf, Text } from "./Loose.ts"
import { type Reader, readerOf, UnreadableAnswer } from "./Reader.ts"

/** A return as the bank knows it (`devolucao`). */
export interface PspReturn {
  readonly id: string
  readonly amountCents: Cents
  readonly status: "processing" | "returned" | "rejected"
  /** It was the bank's or the payer's doing: the special return mechanism (`MED_*`). */
  readonly isDispute: boolean
  /** When it was settled, or else asked for. Epoch milliseconds. */
  readonly at?: number
  readonly reason?: string
}

/** A payment as the bank knows it (`pix`). */
export interface PspPayment {
  readonly endToEndId: string
  readonly txid?: string
  readonly amountCents: Cents
  /** Epoch milliseconds. */
  readonly paidAt: number
  readonly pixKey?: string
  readonly returns: ReadonlyArray<PspReturn>
}

const Devolucao = Schema.Struct({
  id: Text,
  valor: Amount,
  natureza: Schema.optional(Text),
  horario: Schema.optional(
    Schema.Struct({ solicitacao: Schema.optional(Instant), liquidacao: Schema.optional(Instant) }),
  ),
  status: Text,
  motivo: Schema.optional(Text),
})

const Pix = Schema.Struct({
  endToEndId: Text,
  txid: Schema.optional(Text),
  valor: Amount,
  horario: Instant,
  chave: Schema.optional(Text),
  devolucoes: Schema.optional(listOf(Devolucao)),
})

const returnStatus = (status: string): PspReturn["status"] => {
  switch (status) {
    case "DEVOLVIDO":
      return "returned"
    case "NAO_REALIZADO":
      return "rejected"
    default:
      return "processing"
  }
}

const toReturn = ({ id, valor, natureza, horario, status, motivo }: typeof Devolucao.Type): PspReturn => {
  const at = horario?.liquidacao ?? horario?.solicitacao
  return {
    id,
    amountCents: valor,
    status: returnStatus(status),
    isDispute: natureza?.startsWith("MED_") === true,
    ...(at !== undefined && { at }),
    ...(motivo !== undefined && { reason: motivo }),
  }
}

/** A payment from its wire form. */
export const toPayment = ({ endToEndId, txid, valor, horario, chave, devolucoes }: typeof Pix.Type): PspPayment => ({
  endToEndId,
  amountCents: valor,
  paidAt: horario,
  returns: (devolucoes ?? []).map(toReturn),
  ...(txid !== undefined && txid !== "" && { txid }),
  ...(chave !== undefined && { pixKey: chave }),
})

/** The wire form of a payment, inside other answers. */
export const PixSchema = Pix

/** A payment by itself (`GET /pix/{e2eid}`). */
export const readPayment = readerOf(Pix, toPayment)

/** A return by itself (`devolucao`). */
export const readReturn = readerOf(Devolucao, toReturn)

/** The return that was asked for: an answer about another one, or about another sum, is no answer. */
export const readReturnOf =
  (id: string, amountCents: Cents): Reader<PspReturn> =>
  (json) =>
    Result.flatMap(readReturn(json), (row) => {
      const fields = [
        ...(row.id.toLowerCase() === id.toLowerCase() ? [] : ["id"]),
        ...(row.amountCents === amountCents ? [] : ["valor"]),
      ]
      return fields.length === 0 ? Result.succeed(row) : Result.fail(new UnreadableAnswer({ fields }))
    })

/** One page of the payments of a period (`GET /pix`). */
export interface PspPaymentPage {
  readonly payments: ReadonlyArray<PspPayment>
  /** How many pages there are; absent where the bank doesn't say. */
  readonly pages?: number
  /** How many payments there are on all pages; absent where the bank doesn't say. */
  readonly total?: number
}

const Paginacao = Schema.Struct({
  quantidadeDePaginas: Schema.optional(Count),
  quantidadeTotalDeItens: Schema.optional(Count),
})

const PixConsultados = Schema.Struct({
  parametros: Schema.optional(Schema.Struct({ paginacao: Schema.optional(Paginacao) })),
  pix: Schema.optional(listOf(Pix)),
})

/** The payments of a period (`PixConsultados`). */
export const readPaymentPage = readerOf(PixConsultados, ({ parametros, pix }): PspPaymentPage => {
  const { quantidadeDePaginas: pages, quantidadeTotalDeItens: total } = parametros?.paginacao ?? {}
  return {
    payments: (pix ?? []).map(toPayment),
    ...(pages !== undefined && { pages }),
    ...(total !== undefined && { total }),
  }
})

/** What asks for a return (`DevolucaoSolicitada`). */
export const returnBody = (amountCents: Cents) => ({ valor: decimalFromCents(amountCents) })
