import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Count, looseStruct, Text } from "./Loose.ts"
import { makeReader } from "./Reader.ts"

/** A token as a bank gives it (RFC 6749 §5.1). */
export interface BankToken {
  readonly token: Redacted.Redacted<string>
  readonly lifetimeMs?: number
}

// The error of a fetch would quote a token that no header can carry.
const Bearer = Text.check(Schema.isPattern(/^[\x21-\x7e]+$/))

const TokenAnswer = looseStruct({ access_token: Bearer, expires_in: Schema.optional(Count) })

/** Reads the answer of the token endpoint. */
export const readToken = makeReader(TokenAnswer, ({ access_token, expires_in }): BankToken => ({
  token: Redacted.make(access_token),
  ...(expires_in !== undefined && { lifetimeMs: expires_in * 1000 }),
}))
