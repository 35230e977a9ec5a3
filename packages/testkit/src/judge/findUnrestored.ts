import type { IssuedCharge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import type { Evidence } from "./Evidence.ts"
import { bankCharge } from "./money.ts"
import { shortName } from "./names.ts"
import type { Violation } from "./rules.ts"

/** The paid charges that were handed out and are not settled in the books, though they were requested again after a restore. */
export const findUnrestored = (evidence: Evidence, issued: Iterable<IssuedCharge>) =>
  Effect.gen(function* () {
    const found: Array<Violation> = []
    for (const { issuer, id, txid } of issued) {
      if (bankCharge(evidence, { issuer, txid })?.status !== "completed") continue
      const charge = yield* evidence.books.charge(issuer, id)
      if (charge === undefined) found.push({ rule: "booksMatchBank", what: `${shortName(txid)} was paid, and is lost` })
    }
    return found
  })
