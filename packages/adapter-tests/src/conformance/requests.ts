import { randomUUID } from "node:crypto"
import type { Call } from "./HttpClient.ts"

/** `formaPagamento` of an immediate charge with a new id. */
export const immediate = (over: object = {}) => ({
  tpTransacao: 11,
  idFaturaPag: randomUUID(),
  modPagamento: 18,
  valorPagamento: 10,
  ...over,
})

export const payer = { xNome: "Maria da Silva", documento: "123.456.789-09" }

export const post = (body: unknown, over: Partial<Call> = {}): Call => ({
  method: "POST",
  path: "/api/pix",
  body,
  ...over,
})
export const status = (id: string): Call => ({ method: "GET", path: `/api/pix/${id}` })
export const refund = (id: string): Call => ({ method: "DELETE", path: `/api/pix/${id}` })
export const simulate = (id: string, over: Partial<Call> = {}): Call => ({
  method: "POST",
  path: `/api/pix/simular-pagamento/${id}`,
  ...over,
})
