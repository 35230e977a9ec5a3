import type { LocalDate } from "@pixcharge/core/calendar"
import type { Txid } from "@pixcharge/core/charges"

const resources = [
  "immediate",
  "immediateCode",
  "dueDate",
  "dueDateCode",
  "payments",
  "payment",
  "return",
  "webhook",
  "recurrenceLocations",
  "recurrences",
  "recurrence",
  "recurrenceRequests",
  "cycle",
  "retry",
  "recurrenceWebhook",
  "cycleWebhook",
] as const

export type Resource = (typeof resources)[number]

const apiMethods = ["GET", "PUT", "PATCH", "DELETE", "POST"] as const

export type ApiMethod = (typeof apiMethods)[number]

/** A kind of API call, like `PATCH dueDate`. */
export type Endpoint = `${ApiMethod} ${Resource}`

export const endpoints: ReadonlyArray<Endpoint> = apiMethods.flatMap((method) =>
  resources.map((resource): Endpoint => `${method} ${resource}`),
)

export interface ApiPath {
  readonly resource: Resource
  readonly text: string
}

/** A txid can't name both an immediate and a due-date charge. */
export const chargePath = (txid: Txid, isDueDate: boolean): ApiPath =>
  isDueDate ? { resource: "dueDate", text: `/cobv/${txid}` } : { resource: "immediate", text: `/cob/${txid}` }

export const codePath = (txid: Txid, isDueDate: boolean): ApiPath => ({
  resource: isDueDate ? "dueDateCode" : "immediateCode",
  text: `${chargePath(txid, isDueDate).text}/qrcode`,
})

const paymentText = (endToEndId: string): string => `/pix/${encodeURIComponent(endToEndId)}`

export const paymentPath = (endToEndId: string): ApiPath => ({ resource: "payment", text: paymentText(endToEndId) })

export const returnPath = (endToEndId: string, id: string): ApiPath => ({
  resource: "return",
  text: `${paymentText(endToEndId)}/devolucao/${encodeURIComponent(id)}`,
})

export const paymentsPath: ApiPath = { resource: "payments", text: "/pix" }

export const webhookPath = (pixKey: string): ApiPath => ({
  resource: "webhook",
  text: `/webhook/${encodeURIComponent(pixKey)}`,
})

export const recurrenceLocationsPath: ApiPath = { resource: "recurrenceLocations", text: "/locrec" }

export const recurrencesPath: ApiPath = { resource: "recurrences", text: "/rec" }

export const recurrencePath = (bankId: string): ApiPath => ({
  resource: "recurrence",
  text: `/rec/${encodeURIComponent(bankId)}`,
})

export const recurrenceRequestsPath: ApiPath = { resource: "recurrenceRequests", text: "/solicrec" }

const cycleText = (txid: Txid): string => `/cobr/${txid}`

/** A cycle's charge can't have the txid of another charge. */
export const cyclePath = (txid: Txid): ApiPath => ({ resource: "cycle", text: cycleText(txid) })

export const retryPath = (txid: Txid, day: LocalDate): ApiPath => ({
  resource: "retry",
  text: `${cycleText(txid)}/retentativa/${day}`,
})

export const recurrenceWebhookPath: ApiPath = { resource: "recurrenceWebhook", text: "/webhookrec" }

export const cycleWebhookPath: ApiPath = { resource: "cycleWebhook", text: "/webhookcobr" }
