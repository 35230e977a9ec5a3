import { dayMs, hourMs } from "../judge/recurrences/calendar.ts"
import { makeSeededRandom, type SeededRandom } from "@pixcharge/adapter-tests/fixtures"

/** Actions of clients, payers and operators; `recurrence` counts from 1. */
export type RecurrenceAction =
  | {
      readonly do:
        | "offer"
        | "end"
        | "skip"
        | "retry"
        | "cancel"
        | "refund"
        // The payer's own.
        | "approve"
        | "decline"
        | "payerEnds"
        | "payerCancels"
        | "impoverish"
        | "enrich"
      readonly recurrence: number
    }
  | { readonly do: "charge"; readonly recurrence: number; readonly amountCents: number }
  | { readonly do: "kill"; readonly host: number }
  | { readonly do: "outage"; readonly ms: number }
  | { readonly do: "setBack"; readonly ms: number }

export interface RecurrenceStep {
  readonly atMs: number
  readonly action: RecurrenceAction
}

const daily = {
  charge: 0.5,
  retry: 0.4,
  enrich: 0.1,
  impoverish: 0.03,
  refund: 0.02,
  cancel: 0.03,
  skip: 0.01,
  payerCancels: 0.02,
  payerEnds: 0.004,
  end: 0.004,
} as const

const offering = (recurrence: number, random: SeededRandom): ReadonlyArray<RecurrenceStep> => {
  const offeredAt = random.between(0, 3 * dayMs)
  const offers = [0, random.between(0, 20_000), random.between(0, 3_600_000)].map((later): RecurrenceStep => ({
    atMs: offeredAt + later,
    action: { do: "offer", recurrence },
  }))
  const answeredAt = offeredAt + random.between(hourMs, random.pick([dayMs, 12 * dayMs, 40 * dayMs]))
  const answer: RecurrenceAction = { do: random.chance(0.9) ? "approve" : "decline", recurrence }
  // The payer can try again, because the first attempt can come too early.
  return [...offers, ...[0, 1].map((day) => ({ atMs: answeredAt + day * dayMs, action: answer }))]
}

const dayOf = (recurrence: number, day: number, random: SeededRandom): ReadonlyArray<RecurrenceStep> =>
  Object.entries(daily).flatMap(([name, chance]) => {
    const atMs = day * dayMs + random.between(0, dayMs)
    const amountCents = random.between(1, 5) * 1_000
    if (!random.chance(chance)) return []
    return [{ atMs, action: { do: name, recurrence, amountCents } as RecurrenceAction }]
  })

const incidents = (days: number, random: SeededRandom): ReadonlyArray<RecurrenceStep> => {
  const at = () => random.between(5, days) * dayMs + random.between(0, dayMs)
  const repeat = (count: number, action: () => RecurrenceAction) =>
    Array.from({ length: count }, (): RecurrenceStep => ({ atMs: at(), action: action() }))
  return [
    ...repeat(random.between(0, 5), () => ({ do: "kill", host: random.between(0, 1) })),
    ...repeat(random.pick([0, 1, 1, 2]), () => ({ do: "outage", ms: random.between(hourMs, 25 * dayMs) })),
    ...repeat(random.pick([0, 0, 1]), () => ({ do: "setBack", ms: random.between(60_000, 2 * dayMs) })),
  ]
}

export const makeRecurrencePlan = (seed: number, recurrences: number, days: number): ReadonlyArray<RecurrenceStep> => {
  const random = makeSeededRandom(seed ^ 0x5ec0)
  const steps = [...incidents(days, random)]
  for (let n = 1; n <= recurrences; n++) {
    steps.push(...offering(n, random))
    for (let day = 2; day < days; day++) steps.push(...dayOf(n, day, random))
  }
  return steps.toSorted((one, other) => one.atMs - other.atMs)
}
