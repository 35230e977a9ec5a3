import { eventChargeId, type EventKind, type PlainEvent } from "@pixcharge/core/charges"
import { readUpTo } from "@pixcharge/core/internal"
import { parseJson } from "../wire/JsonShape.ts"
import { readStatusAnswer, readToken, type StatusAnswer } from "../wire/StatusAnswer.ts"

/** How to reach the status query, which confirms events (docs/interface.md). */
export interface QueryOptions {
  /** The service's base address, with the prefix where it is mounted. */
  readonly baseUrl: string
  /** The integrator key, or a function from a company's CNPJ to its key. */
  readonly key: string | ((cnpj: string) => string | Promise<string>)
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
}

/**
 * The service's answer about an event. `superseded`: a refund followed this payment, or a payment this expiry. `contradicted`:
 * the answer differs from the event. `unconfirmed`: the service didn't answer.
 */
export type Confirmation = "confirmed" | "superseded" | "contradicted" | "unconfirmed"

/** Confirms an event. An error goes to the framework, and the service sends the event again. */
export type ConfirmEvent = (event: PlainEvent) => Promise<Confirmation>

const maxAnswerBytes = 64 * 1024

const utf8 = new TextDecoder()

/** The time limit of a confirmation with its token request. The service waits 15 s for our answer. */
const limitMs = 8_000

class StatusQuery {
  readonly #base: string
  readonly #key: QueryOptions["key"]
  readonly #fetch: typeof globalThis.fetch
  readonly #tokens = new Map<string, Promise<string>>()

  constructor({ baseUrl, key, fetch = globalThis.fetch }: QueryOptions) {
    this.#base = baseUrl.replace(/(^|[^/])\/+$/, "$1")
    this.#key = key
    this.#fetch = fetch
  }

  async ask(cnpj: string, chargeId: string, signal: AbortSignal) {
    const answer = await this.#askOnce(cnpj, chargeId, signal)
    if (answer.status !== 401) return answer
    this.#tokens.delete(cnpj)
    return this.#askOnce(cnpj, chargeId, signal)
  }

  async #askOnce(cnpj: string, chargeId: string, signal: AbortSignal) {
    const headers = { authorization: `Bearer ${await this.#getToken(cnpj, signal)}` }
    return this.#call(`/api/pix/${encodeURIComponent(chargeId)}`, { headers, signal })
  }

  #getToken(cnpj: string, signal: AbortSignal): Promise<string> {
    const known = this.#tokens.get(cnpj)
    if (known !== undefined) return known
    const token = this.#fetchToken(cnpj, signal)
    this.#tokens.set(cnpj, token)
    token.catch(() => this.#tokens.delete(cnpj))
    return token
  }

  async #fetchToken(cnpj: string, signal: AbortSignal): Promise<string> {
    const chave = typeof this.#key === "string" ? this.#key : await this.#key(cnpj)
    const headers = { "content-type": "application/json" }
    const body = JSON.stringify({ cnpj, chave })
    // The key goes in the body: paths are logged, and a host can disable the route that has the key in its path.
    const token = readToken((await this.#call("/api/token", { method: "POST", headers, body, signal })).body)
    // The error has no cause, because the cause could contain the key.
    if (token === undefined) throw new Error("the service gave no token")
    return token
  }

  async #call(path: string, init: RequestInit) {
    const headers = { accept: "application/json", ...init.headers }
    const fetch = this.#fetch
    const response = await fetch(`${this.#base}${path}`, { ...init, headers, redirect: "error" })
    const { bytes, isWhole } = await readUpTo(response.body, maxAnswerBytes)
    if (!isWhole) throw new Error("the answer is too long")
    return { status: response.status, code: response.headers.get("pix-erro"), body: parseJson(utf8.decode(bytes)) }
  }
}

/**
 * The kinds that the status query can confirm. An earlier state contradicts an event, because the service stores both in one
 * write.
 */
const judges: { readonly [Kind in EventKind]?: (event: PlainEvent<Kind>, found: StatusAnswer) => Confirmation } = {
  paid: (event, found) => {
    if (found._tag === "Refunded") return "superseded"
    return isPaidBy(event, found) ? "confirmed" : "contradicted"
  },
  refunded: (_, { _tag }) => (_tag === "Refunded" ? "confirmed" : "contradicted"),
  // The rest can follow a part.
  "part-refunded": (event, found) =>
    isPaidBy(event, found) || found._tag === "Refunding" || found._tag === "Refunded" ? "confirmed" : "contradicted",
  // After the expiry, the charge can be paid late or cancelled.
  expired: (_, { _tag }) => (_tag === "Expired" || _tag === "Cancelled" ? "confirmed" : "superseded"),
  cancelled: (_, { _tag }) => (_tag === "Cancelled" ? "confirmed" : "contradicted"),
}

const isPaidBy = ({ payment }: PlainEvent<"paid" | "part-refunded">, found: StatusAnswer): boolean =>
  found._tag === "Paid" && found.chargeId === payment.chargeId && found.amountCents === payment.amountCents

/** Confirms events by `GET /api/pix/{idFaturaPag}`. Kinds that it doesn't show are confirmed by their signature alone. */
export const confirmByQuery = (options: QueryOptions): ConfirmEvent => {
  const query = new StatusQuery(options)
  return async (event) => {
    const judge = judges[event.kind] as ((event: PlainEvent, found: StatusAnswer) => Confirmation) | undefined
    const chargeId = eventChargeId(event)
    if (judge === undefined || chargeId === undefined) return "confirmed"
    try {
      const { status, code, body } = await query.ask(event.issuer, chargeId, AbortSignal.timeout(limitMs))
      if (status >= 500 || status === 401 || status === 429) return "unconfirmed"
      const found = readStatusAnswer(status, code, body)
      return found === undefined ? "contradicted" : judge(event, found)
    } catch {
      return "unconfirmed"
    }
  }
}
