import type { StoreUnavailable, TooManyReports } from "@pixcharge/core"
import type { Payment, Return } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Books } from "./Evidence.ts"
import { shortName } from "./names.ts"

/** The payments and returns that a store call records, with or without a move, or that a notice contains. */
export interface Facts {
  readonly issuer: Cnpj
  readonly payments: ReadonlyArray<Pick<Payment, "endToEndId">>
  readonly returns: ReadonlyArray<Pick<Return, "endToEndId" | "id">>
}

const returnName = ({ endToEndId, id }: Pick<Return, "endToEndId" | "id">): string =>
  `return ${shortName(endToEndId)} by ${id}`

export const lostFacts = Effect.fnUntraced(function* (
  books: Books,
  { issuer, payments, returns }: Facts,
  sharing: ReadonlyArray<Cnpj>,
): Effect.fn.Return<ReadonlyArray<string>, StoreUnavailable | TooManyReports> {
  let missing = [...payments.map(({ endToEndId }) => `payment ${shortName(endToEndId)}`), ...returns.map(returnName)]
  for (const company of [issuer, ...sharing.filter((one) => one !== issuer)]) {
    if (missing.length === 0) break
    const paid = payments.length === 0 ? [] : yield* books.payments(company)
    const back = returns.length === 0 ? [] : yield* books.returns(company)
    const known = new Set([
      ...paid.map(({ endToEndId }) => `payment ${shortName(endToEndId)}`),
      ...back.map(returnName),
    ])
    missing = missing.filter((name) => !known.has(name))
  }
  return missing
})
