import type { ShownPayment } from "@pixcharge/core/internal"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { toText, looseStruct, Text } from "./Loose.ts"
import { makeReader } from "./Reader.ts"

/** What a notice claims: ids to look up at the bank, and nothing that is believed (decision 37). */
export interface NoticeClaim extends ShownPayment {
  /** The states of the returns as they are written: once a return has another, the look-up before says nothing of it. */
  readonly returnStates: ReadonlyArray<string>
}

/** Why a notice can't be read: it is none, nobody told us its form, or it has more claims than a bank groups. */
export type UnreadableNotice = "malformed" | "unknown" | "tooMany"

/**
 * Banks may group the payments of one key in a call; the standard's text says no number (`callbacks` of
 * `PUT /webhook/{chave}` in API Pix 2.10.0). Its lists have at most 1 000 payments on a page, and so has a notice here.
 */
export const maxClaims = 1_000

/** A return's own id (`rtrId`), which banks write where a payment's belongs if money of a sent Pix comes back. */
const returnForm = /^D\d{20}[a-z0-9]{11}$/i

/**
 * Whether an element says by itself that it is no receipt: a Pix that the company sent, as Efí (`tipo`, `idEnvio`) and Inter
 * (`codigoSolicitacao`) tell of it on the same webhook, or a return.
 */
const isNoReceipt = (json: unknown): boolean => {
  if (!Predicate.isObject(json)) return false
  const { tipo, gnExtras, idEnvio, codigoSolicitacao, endToEndId } = json
  const sentId = idEnvio ?? codigoSolicitacao ?? (Predicate.isObject(gnExtras) ? gnExtras["idEnvio"] : undefined)
  return tipo === "SOLICITACAO" || !Predicate.isNullish(sentId) || returnForm.test(toText(endToEndId) ?? "")
}

/** By hand: a schema's error takes longer than a claim, and a stranger would choose how many there are. */
const readClaim = (json: unknown): NoticeClaim | undefined => {
  if (!Predicate.isObject(json)) return undefined
  const { endToEndId, txid, devolucoes } = json
  const id = toText(endToEndId)
  if (id === undefined) return undefined
  const returns = Predicate.isNullish(devolucoes) ? [] : Array.isArray(devolucoes) ? devolucoes : [devolucoes]
  const ids = returns.map((one) => readText(one, "id"))
  const returnIds = ids.filter((one) => one !== undefined)
  // It saves a look-up, and the bank's own answer names it.
  const named = toText(txid)
  return {
    endToEndId: id,
    returnIds,
    returnStates: returns.map((one) => readText(one, "status") ?? ""),
    hasUnnamedReturns: returnIds.length < ids.length,
    ...(named !== undefined && { txid: named }),
  }
}

const readText = (returned: unknown, field: string): string | undefined =>
  Predicate.isObject(returned) ? toText(returned[field]) : undefined

const readList = (pix: unknown): ReadonlyArray<unknown> | undefined => {
  if (Predicate.isNullish(pix)) return []
  if (Array.isArray(pix)) return pix
  return Predicate.isObject(pix) ? [pix] : undefined
}

/** With what a bank tries a webhook out: nothing, or what Efí sends. */
const isTestCall = (body: object): boolean =>
  Object.keys(body).length === 0 || ("evento" in body && body.evento === "teste_webhook")

/** The claims of one body: under `pix`, or itself; or why it has none. */
const readClaims = (body: unknown, isListed: boolean): ReadonlyArray<unknown> | UnreadableNotice => {
  if (!Predicate.isObject(body)) return isListed ? [body] : "malformed"
  if ("pix" in body) return readList(body["pix"]) ?? (isListed ? [undefined] : "malformed")
  if (isListed || "endToEndId" in body || isNoReceipt(body)) return [body]
  return isTestCall(body) ? [] : "unknown"
}

/**
 * Reads the claims of one call of the webhook: `{pix: [...]}`, a list of such, the payments as a bare list, or one alone.
 * There are none in the test call that some banks make when it is registered, and none of what was sent. A claim that can't
 * be read is undefined, so that the others of the call still count; they are counted before the first of them is read.
 */
export const readNotice = (json: unknown): Result.Result<ReadonlyArray<NoticeClaim | undefined>, UnreadableNotice> => {
  const bodies: ReadonlyArray<unknown> = Array.isArray(json) ? json : [json]
  if (bodies.length > maxClaims) return Result.fail("tooMany")
  const all: Array<unknown> = []
  for (const body of bodies) {
    const claims = readClaims(body, Array.isArray(json))
    if (typeof claims === "string") return Result.fail(claims)
    if (all.length + claims.length > maxClaims) return Result.fail("tooMany")
    all.push(...claims)
  }
  return Result.succeed(all.filter((one) => !isNoReceipt(one)).map(readClaim))
}

/** The body that registers a webhook (`WebhookSolicitado`); the bank adds `/pix` to the URL. */
export const webhookBody = (url: string) => ({ webhookUrl: url })

/** Reads where a webhook leads (`WebhookCompleto`); undefined where the bank names no URL. */
export const readWebhookUrl = makeReader(looseStruct({ webhookUrl: Schema.optional(Text) }), ({ webhookUrl }) =>
  webhookUrl === "" ? undefined : webhookUrl,
)

/** Some banks show the URL as they call it. */
const addedByBank = /(?<!\/)\/+(?:pix|rec|cobr)$/

/** The URL of a webhook as it was registered. */
export const removeAdded = (url: string): string => url.replace(addedByBank, "")
