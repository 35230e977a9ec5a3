import type { ShownPayment } from "@pixcharge/core/internal"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { looseStruct, makeReader, Text, toText } from "./Reader.ts"

/** A notice's claim: ids to look up at the bank (decision 37). */
export interface NoticeClaim extends ShownPayment {
  /** The states as the bank writes them. Once one of them changes, an earlier look-up is stale. */
  readonly returnStates: ReadonlyArray<string>
}

/** Why a notice can't be read: it is malformed, has an undocumented form (`unknown`), or has too many claims. */
export type UnreadableNotice = "malformed" | "unknown" | "tooMany"

/**
 * The maximum number of claims in a notice. The standard names no limit (`callbacks` of `PUT /webhook/{chave}` in API
 * Pix 2.10.0). We use the limit of its lists, 1,000 payments on a page.
 */
export const maxClaims = 1_000

/**
 * A return's own id (`rtrId`). Banks write it as the endToEndId if the money of a Pix that the company sent comes back.
 */
const returnForm = /^D\d{20}[a-z0-9]{11}$/i

/**
 * Whether the notice is about a return, or a Pix that the company sent. Efí (`tipo`, `idEnvio`) and Inter
 * (`codigoSolicitacao`) report these on the same webhook.
 */
const isNoReceipt = (json: unknown): boolean => {
  if (!Predicate.isObject(json)) return false
  const { tipo, gnExtras, idEnvio, codigoSolicitacao, endToEndId } = json
  const sentId = idEnvio ?? codigoSolicitacao ?? (Predicate.isObject(gnExtras) ? gnExtras["idEnvio"] : undefined)
  return tipo === "SOLICITACAO" || !Predicate.isNullish(sentId) || returnForm.test(toText(endToEndId) ?? "")
}

/** Reads a claim without a schema: schema errors are slow, and a stranger could cause many. */
const readClaim = (json: unknown): NoticeClaim | undefined => {
  if (!Predicate.isObject(json)) return undefined
  const { endToEndId, txid, devolucoes } = json
  const id = toText(endToEndId)
  if (id === undefined) return undefined
  const returns = Predicate.isNullish(devolucoes) ? [] : Array.isArray(devolucoes) ? devolucoes : [devolucoes]
  const ids = returns.map((one) => readText(one, "id"))
  const returnIds = ids.filter((one) => one !== undefined)
  // This txid is untrusted. It saves a look-up, and the bank's answer then names the charge.
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

const isTestCall = (body: object): boolean =>
  Object.keys(body).length === 0 || ("evento" in body && body.evento === "teste_webhook")

const readClaims = (body: unknown, isListed: boolean): ReadonlyArray<unknown> | UnreadableNotice => {
  if (!Predicate.isObject(body)) return isListed ? [body] : "malformed"
  if ("pix" in body) return readList(body["pix"]) ?? (isListed ? [undefined] : "malformed")
  if (isListed || "endToEndId" in body || isNoReceipt(body)) return [body]
  return isTestCall(body) ? [] : "unknown"
}

/**
 * Reads the claims of one webhook call: `{pix: [...]}`, a list of such objects, a bare list of payments, or a single
 * payment.
 *
 * Test calls and sent payments have no claims. An unreadable claim becomes undefined, and the other claims still count.
 * The number of claims is checked before any is read.
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

/** The body that registers a webhook (`WebhookSolicitado`). The bank appends `/pix` to the URL. */
export const webhookBody = (url: string) => ({ webhookUrl: url })

/** Reads a webhook's URL (`WebhookCompleto`), if the bank shows it. */
export const readWebhookUrl = makeReader(looseStruct({ webhookUrl: Schema.optional(Text) }), ({ webhookUrl }) =>
  webhookUrl === "" ? undefined : webhookUrl,
)

/** The suffix that some banks add to the URL that they show. */
const addedByBank = /(?<!\/)\/+(?:pix|rec|cobr)$/

export const removeAdded = (url: string): string => url.replace(addedByBank, "")

/** The ids in a notice of Pix Automático, to look up at the bank. */
export interface RecurrenceNotice {
  /** Ids of recurrences (`idRec`). */
  readonly bankIds: ReadonlyArray<string>
  /** Txids of cycles' charges, in lower case. */
  readonly txids: ReadonlyArray<string>
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
 * Reads `{recs: [...]}` and `{cobsr: [...]}`, or a list of such objects, also next to payments; undefined for a notice
 * of payments only. Skips elements without an id.
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

/**
 * The maximum number of scanned values: more than a full notice of `maxClaims` payments with all standard fields has.
 */
const maxValues = 20 * maxClaims
const maxNames = 50

/** Our txids have 35 characters (`chargeTxid`). */
const txidsIn = /(?<![0-9a-z])[0-9a-z]{35}(?![0-9a-z])/gi
/** A field name that can be logged. A longer name, or one with three digits in a row, can contain a person's tax id. */
const loggableName = /^(?!.*\d{3})[a-z_$][\w$-]{0,39}$/i

/** A notice's field names, which can be logged, and the possible txids in it, in lower case. */
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

export const scanNotice = (json: unknown): ScannedNotice => {
  const names = new Set<string>()
  const txids = new Set<string>()
  const found: Array<unknown> = [json]
  for (let index = 0; index < found.length; index++) {
    const value = found[index]
    if (typeof value === "string") addTxids(txids, value)
    if (!Predicate.isObjectOrArray(value)) continue
    for (const name in value) {
      if (found.length >= maxValues) break
      found.push((value as Record<string, unknown>)[name])
      if (Array.isArray(value)) continue
      addTxids(txids, name)
      if (names.size < maxNames) names.add(loggableName.test(name) ? name : "?")
    }
  }
  return { names: [...names], txids: [...txids] }
}
