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

const Notice = Schema.Struct({ pix: Schema.optional(listOf(Claim)) })

const toClaim = ({ endToEndId, txid, chave, devolucoes }: typeof Claim.Type): NoticeClaim => ({
  endToEndId,
  hasReturns: devolucoes !== undefined,
  ...(txid !== undefined && { txid }),
  ...(chave !== undefined && { pixKey: chave }),
})

/** The claims of one call of the webhook; none in the test call that some banks make when it is registered. */
export const readNotice = readerOf(Notice, ({ pix }) => (pix ?? []).map(toClaim))

/** Where the bank is to call (`WebhookSolicitado`); it adds `/pix` to the URL by itself. */
export const webhookBody = (url: string) => ({ webhookUrl: url })
