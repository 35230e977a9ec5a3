import * as Schema from "effect/Schema"
import { Count, Text } from "./Loose.ts"
import { readerOf } from "./Reader.ts"

/** A token as a bank gives it (RFC 6749 §5.1). */
export interface GivenToken {
  readonly token: string
  readonly lifetimeMs?: number
}

// What no header can carry never gets there: the error of a fetch would quote it, the token included.
const Bearer = Text.check(Schema.isPattern(/^[\x21-\x7e]+$/))

const TokenAnswer = Schema.Struct({ access_token: Bearer, expires_in: Schema.optional(Count) })

/** The answer of the token endpoint. */
export const readToken = readerOf(TokenAnswer, ({ access_token, expires_in }): GivenToken => ({
  token: access_token,
  ...(expires_in !== undefined && { lifetimeMs: expires_in * 1000 }),
}))
