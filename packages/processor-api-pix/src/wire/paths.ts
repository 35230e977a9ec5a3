import type { Txid } from "@pixcharge/core/charge"

/** The bank's resources below its API root. Immediate and due-date charges share one space of txids. */
export const chargePath = (txid: Txid, isDueDate: boolean): string => `/${isDueDate ? "cobv" : "cob"}/${txid}`

export const paymentPath = (endToEndId: string): string => `/pix/${encodeURIComponent(endToEndId)}`

export const returnPath = (endToEndId: string, id: string): string =>
  `${paymentPath(endToEndId)}/devolucao/${encodeURIComponent(id)}`

export const paymentsPath = "/pix"

export const webhookPath = (pixKey: string): string => `/webhook/${encodeURIComponent(pixKey)}`

/** Which payments a list shows: `from` and `to` in RFC 3339 belong to it; pages count from 0. */
export interface PaymentsQuery {
  readonly from: string
  readonly to: string
  readonly txid?: Txid
  /** Only payments that have a return of any status (`devolucaoPresente`). */
  readonly isReturned?: true
  readonly page: number
  readonly pageSize: number
}

export const paymentsQuery = (asked: PaymentsQuery): Record<string, string> => {
  const { from, to, txid, isReturned, page, pageSize } = asked
  return {
    inicio: from,
    fim: to,
    ...(txid && { txid }),
    ...(isReturned && { devolucaoPresente: "true" }),
    "paginacao.paginaAtual": String(page),
    "paginacao.itensPorPagina": String(pageSize),
  }
}
