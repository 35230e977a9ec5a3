import type { ShownPayment } from "@pixcharge/core/internal"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { looseStruct, makeReader, Text, toText } from "./Reader.ts"

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

/** What a notice of Pix Automático names: ids to look up at the bank, and nothing that is believed. */
export interface RecurrenceNotice {
  /** Of recurrences (`idRec`). */
  readonly bankIds: ReadonlyArray<string>
  /** Of cycles' charges, in small letters. */
  readonly txids: ReadonlyArray<string>
  /** What of the notice is about payments. */
  readonly others: ReadonlyArray<unknown>
}

const bankIdForm = /^[a-zA-Z0-9]{29}$/
const txidForm = /^[a-zA-Z0-9]{26,35}$/

const listOf = (body: unknown, field: string): ReadonlyArray<unknown> => {
  const value = Predicate.isObject(body) ? body[field] : undefined
  return Array.isArray(value) ? value : Predicate.isNullish(value) ? [] : [value]
}

const readId = (element: unknown, field: string, form: RegExp): ReadonlyArray<string> => {
  const id = Predicate.isObject(element) ? toText(element[field]) : undefined
  return id !== undefined && form.test(id) ? [id] : []
}

const isOfRecurrences = (body: unknown): boolean =>
  Predicate.isObject(body) && (Object.hasOwn(body, "recs") || Object.hasOwn(body, "cobsr"))

const isOfPayments = (body: unknown): boolean =>
  !isOfRecurrences(body) ||
  (Predicate.isObject(body) && (Object.hasOwn(body, "pix") || Object.hasOwn(body, "endToEndId")))

/**
 * Reads `{recs: [...]}` and `{cobsr: [...]}`, or a list of such, also beside payments; undefined for a notice of payments alone. What has no id is passed over: the
 * checks of a recurrence find without a notice, too, what it would have told. Elements are counted before the first is read.
 */
export const readRecurrenceNotice = (json: unknown): Result.Result<RecurrenceNotice, "tooMany"> | undefined => {
  const bodies: ReadonlyArray<unknown> = Array.isArray(json) ? json : [json]
  if (bodies.length > maxClaims) return bodies.some(isOfRecurrences) ? Result.fail("tooMany") : undefined
  const own = bodies.filter(isOfRecurrences)
  if (own.length === 0) return undefined
  const recurrences = own.flatMap((body) => listOf(body, "recs"))
  const cycles = own.flatMap((body) => listOf(body, "cobsr"))
  if (recurrences.length + cycles.length > maxClaims) return Result.fail("tooMany")
  const txids = cycles.flatMap((element) => readId(element, "txid", txidForm))
  return Result.succeed({
    bankIds: [...new Set(recurrences.flatMap((element) => readId(element, "idRec", bankIdForm)))],
    txids: [...new Set(txids.map((txid) => txid.toLowerCase()))],
    others: bodies.filter(isOfPayments),
  })
}

/** A notice with all that the standard has in it, for as many payments as a call may have, has fewer. */
const maxValues = 20 * maxClaims
const maxNames = 50

/** A txid of ours, wherever it stands in a text: `chargeTxid` makes 35 characters. */
const txidsIn = /(?<![0-9a-z])[0-9a-z]{35}(?![0-9a-z])/gi
/** What a programmer calls a field. A longer name, or one with a number, may be somebody's document. */
const tellable = /^(?!.*\d{3})[a-z_$][\w$-]{0,39}$/i

/** What a notice of unknown form has in it: its fields' names, which may be logged, and what may be txids, in small letters. */
export interface ScannedNotice {
  readonly names: ReadonlyArray<string>
  readonly txids: ReadonlyArray<string>
}

const addTxids = (txids: Set<string>, text: string): void => {
  for (const [found] of text.matchAll(txidsIn)) {
    if (txids.size >= maxClaims) return
    txids.add(found.toLowerCase())
  }
}

/** Looks through a notice of any form and depth, up to a number of values. */
export const scanNotice = (json: unknown): ScannedNotice => {
  const names = new Set<string>()
  const txids = new Set<string>()
  const found: Array<unknown> = [json]
  for (let at = 0; at < found.length; at++) {
    const value = found[at]
    if (typeof value === "string") addTxids(txids, value)
    if (!Predicate.isObjectOrArray(value)) continue
    for (const name in value) {
      if (found.length >= maxValues) break
      found.push((value as Record<string, unknown>)[name])
      if (Array.isArray(value)) continue
      addTxids(txids, name)
      if (names.size < maxNames) names.add(tellable.test(name) ? name : "?")
    }
  }
  return { names: [...names], txids: [...txids] }
}
