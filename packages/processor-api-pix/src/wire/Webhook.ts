import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { asText, looseStruct, Text } from "./Loose.ts"
import { makeReader } from "./Reader.ts"

/** What a notice claims: ids to look up at the bank, and nothing that is believed (decision 37). */
export interface NoticeClaim {
  readonly endToEndId: string
  readonly txid?: string
  /** It mentions returns. */
  readonly hasReturns: boolean
}

/** Why a notice can't be read: it has another form, or more claims than a bank groups. */
export type UnreadableNotice = "malformed" | "tooMany"

/**
 * Banks may group the payments of one key in a call; the standard's text says no number (`callbacks` of
 * `PUT /webhook/{chave}` in API Pix 2.9.0). Its lists have at most 1 000 payments on a page, and so has a notice here.
 */
export const mostClaims = 1_000

/** By hand: a schema's error takes longer than a claim, and a stranger would choose how many there are. */
const readClaim = (json: unknown): NoticeClaim | undefined => {
  if (!Predicate.isObject(json)) return undefined
  const { endToEndId, txid, devolucoes } = json
  const id = asText(endToEndId)
  const hasReturns = !Predicate.isNullish(devolucoes)
  if (id === undefined) return undefined
  if (Predicate.isNullish(txid)) return { endToEndId: id, hasReturns }
  const named = asText(txid)
  return named === undefined ? undefined : { endToEndId: id, hasReturns, txid: named }
}

/** Claims are counted before the first of them is read. */
const countedClaims = (pix: unknown): Result.Result<ReadonlyArray<unknown>, UnreadableNotice> => {
  if (Predicate.isNullish(pix)) return Result.succeed([])
  if (!Predicate.isObjectOrArray(pix)) return Result.fail("malformed")
  const claims = Array.isArray(pix) ? pix : [pix]
  return claims.length > mostClaims ? Result.fail("tooMany") : Result.succeed(claims)
}

/**
 * Reads the claims of one call of the webhook; none in the test call that some banks make when it is registered. A claim
 * that can't be read is undefined, so that the others of the call still count.
 */
export const readNotice = (json: unknown): Result.Result<ReadonlyArray<NoticeClaim | undefined>, UnreadableNotice> =>
  Predicate.isObject(json)
    ? Result.map(countedClaims(json["pix"]), (claims) => claims.map(readClaim))
    : Result.fail("malformed")

/** The body that registers a webhook (`WebhookSolicitado`); the bank adds `/pix` to the URL. */
export const webhookBody = (url: string) => ({ webhookUrl: url })

/** Reads where a webhook leads (`WebhookCompleto`). */
export const readWebhookUrl = makeReader(looseStruct({ webhookUrl: Text }), ({ webhookUrl }) => webhookUrl)
