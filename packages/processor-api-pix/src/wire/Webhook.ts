import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { listOf, Text } from "./Loose.ts"
import { readerOf } from "./Reader.ts"

/** What a webhook claims. Only names of things to ask after: nothing of it is believed. */
export interface NoticeClaim {
  readonly endToEndId: string
  readonly txid?: string
  readonly pixKey?: string
  /** It also speaks of returns. */
  readonly hasReturns: boolean
}

const Claim = Schema.Struct({
  endToEndId: Text,
  txid: Schema.optional(Text),
  chave: Schema.optional(Text),
  devolucoes: Schema.optional(Schema.Unknown),
})

const Notice = Schema.Struct({ pix: Schema.optional(listOf(Schema.Unknown)) })

const toClaim = ({ endToEndId, txid, chave, devolucoes }: typeof Claim.Type): NoticeClaim => ({
  endToEndId,
  hasReturns: devolucoes !== undefined,
  ...(txid !== undefined && { txid }),
  ...(chave !== undefined && { pixKey: chave }),
})

const readClaim = readerOf(Claim, toClaim)

/**
 * The claims of one call of the webhook; none in the test call that some banks make when it is registered. One that can't
 * be read is undefined: those grouped with it count all the same.
 */
export const readNotice = readerOf(Notice, ({ pix }) =>
  (pix ?? []).map((claim) => Result.getOrUndefined(readClaim(claim))),
)

/** Where the bank is to call (`WebhookSolicitado`); it adds `/pix` to the URL by itself. */
export const webhookBody = (url: string) => ({ webhookUrl: url })
