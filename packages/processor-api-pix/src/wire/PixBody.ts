import { type Cents, decimalFromCents } from "@pixcharge/core/money"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Amount, Count, Instant, looseList, looseStruct, Text } from "./Loose.ts"
import { type Reader, makeReader, UnreadableAnswer } from "./Reader.ts"

/** A return as the bank knows it (`devolucao`). */
export interface PspReturn {
  readonly id: string
  readonly amountCents: Cents
  readonly status: "processing" | "returned" | "rejected"
  /** The bank or the payer requested it, by the special return mechanism (`MED_*`). */
  readonly isDispute: boolean
  /** When it was settled, or else requested. Epoch milliseconds. */
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

const Devolucao = looseStruct({
  id: Text,
  valor: Amount,
  natureza: Schema.optional(Text),
  horario: Schema.optional(
    looseStruct({ solicitacao: Schema.optional(Instant), liquidacao: Schema.optional(Instant) }),
  ),
  status: Text,
  motivo: Schema.optional(Text),
})

/** The wire form of a payment. */
export const Pix = looseStruct({
  endToEndId: Text,
  txid: Schema.optional(Text),
  valor: Amount,
  horario: Instant,
  chave: Schema.optional(Text),
  devolucoes: Schema.optional(looseList(Devolucao)),
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

/** A payment in our form. */
export const toPayment = ({ endToEndId, txid, valor, horario, chave, devolucoes }: typeof Pix.Type): PspPayment => ({
  endToEndId,
  amountCents: valor,
  paidAt: horario,
  returns: (devolucoes ?? []).map(toReturn),
  ...(txid !== undefined && txid !== "" && { txid }),
  ...(chave !== undefined && { pixKey: chave }),
})

/** Reads a payment (`GET /pix/{e2eid}`). */
export const readPayment = makeReader(Pix, toPayment)

/** Reads a return (`devolucao`). */
export const readReturn = makeReader(Devolucao, toReturn)

/** Reads the return of this id and amount; an answer about another one fails. */
export const returnReaderFor =
  (id: string, amountCents: Cents): Reader<PspReturn> =>
  (json) =>
    Result.flatMap(readReturn(json), (row) => {
      const fields = [
        ...(row.id.toLowerCase() === id.toLowerCase() ? [] : ["id"]),
        ...(row.amountCents === amountCents ? [] : ["valor"]),
      ]
      return fields.length === 0 ? Result.succeed(row) : Result.fail(new UnreadableAnswer({ fields }))
    })

/** One page of the payments of a period, in our form (`GET /pix`). */
export interface PspPaymentPage {
  readonly payments: ReadonlyArray<PspPayment>
  /** How many pages there are; absent where the bank doesn't say. */
  readonly pages?: number
  /** How many payments there are on all pages; absent where the bank doesn't say. */
  readonly total?: number
}

const Paginacao = looseStruct({
  quantidadeDePaginas: Schema.optional(Count),
  quantidadeTotalDeItens: Schema.optional(Count),
})

const PixConsultados = looseStruct({
  parametros: Schema.optional(looseStruct({ paginacao: Schema.optional(Paginacao) })),
  pix: Schema.optional(looseList(Pix)),
})

/** Reads one page of the payments of a period (`PixConsultados`). */
export const readPaymentPage = makeReader(PixConsultados, ({ parametros, pix }): PspPaymentPage => {
  const { quantidadeDePaginas: pages, quantidadeTotalDeItens: total } = parametros?.paginacao ?? {}
  return {
    payments: (pix ?? []).map(toPayment),
    ...(pages !== undefined && { pages }),
    ...(total !== undefined && { total }),
  }
})

/** The body that requests a return (`DevolucaoSolicitada`). */
export const returnBody = (amountCents: Cents) => ({ valor: decimalFromCents(amountCents) })
