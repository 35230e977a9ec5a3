import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { PeriodTooLarge } from "../ports/portErrors.ts"
import type { Period } from "../runtime/page/Period.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { ChargeCounts } from "../ports/ChargeCounts.ts"
import { ageBounds, foldFigures } from "./foldFigures.ts"
import { periodSlots } from "./periodSlots.ts"

const hourMs = 3_600_000
/** A month of 31 days, of which one has an hour more where clocks are set back. */
const maxMs = (31 * 24 + 1) * hourMs

/** Counts what lies in a period, and makes the figures of it. */
export const makeCountFigures = (counts: ChargeCounts["Service"]) =>
  Effect.fnUntraced(function* (issuer: Cnpj, { from, until }: Period) {
    // Not a number is no period, too.
    if (!(until - from <= maxMs)) return yield* new PeriodTooLarge({ operation: "figures", max: "31 days" })
    const period = { from, until }
    const slots = periodSlots(period)
    if (slots.length === 0) return foldFigures(period, slots, [])
    const counted = yield* counts.count(issuer, {
      bounds: [...slots.map((slot) => slot.from), until],
      ages: ageBounds.map((seconds) => seconds * 1_000),
      now: yield* Clock.currentTimeMillis,
    })
    return foldFigures(period, slots, counted)
  })
