import type { Txid } from "@pixcharge/core/charge"
import * as DateTime from "effect/DateTime"

/** A charge, below the API's root like all paths here. Immediate and due-date charges share one space of txids. */
export const chargePath = (txid: Txid, isDueDate: boolean): string => `/${isDueDate ? "cobv" : "cob"}/${txid}`

/** A payment. */
export const paymentPath = (endToEndId: string): string => `/pix/${encodeURIComponent(endToEndId)}`

/** A return of a payment, under an id of the receiver's. */
export const returnPath = (endToEndId: string, id: string): string =>
  `${paymentPath(endToEndId)}/devolucao/${encodeURIComponent(id)}`

/** The list of payments. */
export const paymentsPath = "/pix"

/** The webhook of a PIX key. */
export const webhookPath = (pixKey: string): string => `/webhook/${encodeURIComponent(pixKey)}`

/** Which payments a list shows: from and to, in epoch milliseconds, belong to it; pages count from 0. */
export interface PaymentsQuery {
  readonly from: number
  readonly to: number
  readonly txid?: Txid
  /** Only payments that have a return of any status (`devolucaoPresente`). */
  readonly isReturned?: true
  readonly page: number
  readonly pageSize: number
}

/** RFC 3339 in UTC, in whole seconds: not every bank reads fractions. */
const instantText = (epochMs: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(Math.floor(epochMs / 1000) * 1000)).replace(".000Z", "Z")

/** The query of the list of payments. */
export const paymentsQuery = (asked: PaymentsQuery): Record<string, string> => {
  const { from, to, txid, isReturned, page, pageSize } = asked
  return {
    inicio: instantText(from),
    fim: instantText(to),
    ...(txid && { txid }),
    ...(isReturned && { devolucaoPresente: "true" }),
    "paginacao.paginaAtual": String(page),
    "paginacao.itensPorPagina": String(pageSize),
  }
}
