import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Count, lenient, looseStruct, Text } from "./Loose.ts"
import { makeReader } from "./Reader.ts"

/** A token as a bank gives it (RFC 6749 §5.1). */
export interface BankToken {
  readonly token: Redacted.Redacted<string>
  readonly lifetimeMs?: number
}

// The error of a fetch would quote a token that no header can carry.
const Bearer = Text.check(Schema.isPattern(/^[\x21-\x7e]+$/))

const TokenAnswer = looseStruct({ access_token: Bearer, expires_in: lenient(Count) })

/** Reads the answer of the token endpoint. */
export const readToken = makeReader(TokenAnswer, ({ access_token, expires_in }): BankToken => ({
  token: Redacted.make(access_token),
  ...(expires_in !== undefined && { lifetimeMs: expires_in * 1000 }),
}))

/** RFC 6749 §5.2, and RFC 6750 §3.1. */
const refusalCode =
  /\b(?:invalid_(?:request|client|grant|scope|token)|unauthorized_client|unsupported_grant_type|insufficient_scope)\b/

const maxRead = 4_096

/**
 * The code of OAuth with which a token is refused, wherever in the answer it stands: it may be logged, as no other part of
 * the answer may. Undefined where there is none.
 */
export const tokenRefusalCode = (text: string): string | undefined => refusalCode.exec(text.slice(0, maxRead))?.[0]
