import { readUpTo } from "@pixcharge/core/internal"
import { parseJson } from "../wire/JsonShape.ts"
import { readStatusAnswer, readToken } from "../wire/StatusAnswer.ts"
import type { ReceivedEvent } from "./verifyEvent.ts"

/** How to reach the status query, which confirms events (docs/interface.md). */
export interface QueryOptions {
  /** The service's base address, with the prefix under which it is mounted. */
  readonly baseUrl: string
  /** The integrator key, or the key of each company by its CNPJ. */
  readonly key: string | ((cnpj: string) => string | Promise<string>)
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch
}

/**
 * What the service says of an event. `superseded`: the charge was paid and has been refunded since. `contradicted`: the
 * service says otherwise. `unconfirmed`: it gave no answer.
 */
export type Confirmation = "confirmed" | "superseded" | "contradicted" | "unconfirmed"

/** Confirms an event. An error goes to the framework, and the service sends the event again. */
export type ConfirmEvent = (event: ReceivedEvent) => Promise<Confirmation>

/** An answer of the service has a few hundred bytes. */
const maxAnswerBytes = 64 * 1024

const utf8 = new TextDecoder()

/** A whole confirmation, token included: the service waits 15 s for our answer. */
const limitMs = 8_000

/** Confirms events by `GET /api/pix/{idFaturaPag}`: the charge must be paid, with this amount, or refunded. */
export const confirmByQuery = ({ baseUrl, key, fetch = globalThis.fetch }: QueryOptions): ConfirmEvent => {
  const base = baseUrl.replace(/(^|[^/])\/+$/, "$1")
  const tokens = new Map<string, Promise<string>>()

  const call = async (path: string, init: RequestInit) => {
    const headers = { accept: "application/json", ...init.headers }
    const response = await fetch(`${base}${path}`, { ...init, headers, redirect: "error" })
    const { bytes, isWhole } = await readUpTo(response.body, maxAnswerBytes)
    if (!isWhole) throw new Error("the answer is too long")
    return { status: response.status, code: response.headers.get("pix-erro"), body: parseJson(utf8.decode(bytes)) }
  }

  const authenticate = async (cnpj: string, signal: AbortSignal): Promise<string> => {
    const chave = typeof key === "string" ? key : await key(cnpj)
    const headers = { "content-type": "application/json" }
    const body = JSON.stringify({ cnpj, chave })
    // A body, for paths are logged, and a host may have closed the path that holds the key.
    const token = readToken((await call("/api/token", { method: "POST", headers, body, signal })).body)
    // Without its cause, which may hold the key.
    if (token === undefined) throw new Error("the service gave no token")
    return token
  }

  const tokenFor = (cnpj: string, signal: AbortSignal): Promise<string> => {
    const known = tokens.get(cnpj)
    if (known !== undefined) return known
    const asked = authenticate(cnpj, signal)
    tokens.set(cnpj, asked)
    asked.catch(() => tokens.delete(cnpj))
    return asked
  }

  const query = async (cnpj: string, chargeId: string, signal: AbortSignal) => {
    const ask = async () => {
      const headers = { authorization: `Bearer ${await tokenFor(cnpj, signal)}` }
      return call(`/api/pix/${encodeURIComponent(chargeId)}`, { headers, signal })
    }
    const answer = await ask()
    if (answer.status !== 401) return answer
    tokens.delete(cnpj)
    return ask()
  }

  return async (event) => {
    if (event.kind === "test") return "confirmed"
    const { chargeId, amountCents } = event.payment
    try {
      const { status, code, body } = await query(event.issuer, chargeId, AbortSignal.timeout(limitMs))
      if (status >= 500 || status === 401 || status === 429) return "unconfirmed"
      const found = readStatusAnswer(status, code, body)
      if (found?._tag === "Refunded") return event.kind === "refunded" ? "confirmed" : "superseded"
      const agrees =
        event.kind === "paid" &&
        found?._tag === "Paid" &&
        found.chargeId === chargeId &&
        found.amountCents === amountCents
      return agrees ? "confirmed" : "contradicted"
    } catch {
      return "unconfirmed"
    }
  }
}
