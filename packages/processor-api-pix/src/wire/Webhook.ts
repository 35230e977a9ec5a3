import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { looseList, Text } from "./Loose.ts"
import { makeReader } from "./Reader.ts"

/** What a notice claims: ids to look up at the bank, and nothing that is believed (decision 37). */
export interface NoticeClaim {
  readonly endToEndId: string
  readonly txid?: string
  readonly pixKey?: string
  /** It mentions returns. */
  readonly hasReturns: boolean
}

const Claim = Schema.Struct({
  endToEndId: Text,
  txid: Schema.optional(Text),
  chave: Schema.optional(Text),
  devolucoes: Schema.optional(Schema.Unknown),
})

const Notice = Schema.Struct({ pix: Schema.optional(looseList(Schema.Unknown)) })

const toClaim = ({ endToEndId, txid, chave, devolucoes }: typeof Claim.Type): NoticeClaim => ({
  endToEndId,
  hasReturns: devolucoes !== undefined,
  ...(txid !== undefined && { txid }),
  ...(chave !== undefined && { pixKey: chave }),
})

const readClaim = makeReader(Claim, toClaim)

/**
 * Reads the claims of one call of the webhook; none in the test call that some banks make when it is registered. A claim
 * that can't be read is undefined, so that the others of the call still count.
 */
export const readNotice = makeReader(Notice, ({ pix }) =>
  (pix ?? []).map((claim) => Result.getOrUndefined(readClaim(claim))),
)

/** The body that registers a webhook (`WebhookSolicitado`); the bank adds `/pix` to the URL. */
export const webhookBody = (url: string) => ({ webhookUrl: url })
