import type { StoreUnavailable, TooManyReports } from "@pixcharge/core"
import type { Payment, Return } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Books } from "./Evidence.ts"
import { shortName } from "./names.ts"

/** The facts that a store call records, with or without a move, or that a notice contains. */
export interface Facts {
  /** The companies in whose books they may be. */
  readonly issuers: ReadonlyArray<Cnpj>
  readonly payments: ReadonlyArray<Pick<Payment, "endToEndId">>
  readonly returns: ReadonlyArray<Pick<Return, "endToEndId" | "id">>
}

/** The facts that are missing after the call that records them. */
export const lostFacts = Effect.fnUntraced(function* (
  books: Books,
  { issuers, payments, returns }: Facts,
): Effect.fn.Return<ReadonlyArray<string>, StoreUnavailable | TooManyReports> {
  const missing: Array<string> = []
  if (payments.length > 0) {
    const recorded = yield* Effect.forEach(issuers, books.payments)
    const known = new Set(recorded.flat().map(({ endToEndId }) => endToEndId))
    for (const { endToEndId } of payments) if (!known.has(endToEndId)) missing.push(`payment ${shortName(endToEndId)}`)
  }
  if (returns.length > 0) {
    const recorded = yield* Effect.forEach(issuers, books.returns)
    const known = new Set(recorded.flat().map(({ endToEndId, id }) => `${shortName(endToEndId)} by ${id}`))
    const keys = returns.map(({ endToEndId, id }) => `${shortName(endToEndId)} by ${id}`)
    for (const key of keys) if (!known.has(key)) missing.push(`return ${key}`)
  }
  return missing
})
