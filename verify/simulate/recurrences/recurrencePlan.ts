import { parseRecurrenceRequest, type RecurrenceRequest, type RecurrenceRequestInput } from "@pixcharge/core/recurrence"
import * as Result from "effect/Result"
import { dayAt, dayMs, hourMs, type Period, plusDays } from "../judge/recurrences/calendar.ts"
import { makeSeededRandom, type SeededRandom } from "@pixcharge/adapter-tests/fixtures"

const idAt = (kind: string, n: number): string =>
  `${kind}${n.toString(16).padStart(7, "0")}-0000-4000-8000-000000000000`

/** Noon in Brasília on a run's first day. The following months have several lengths, and holidays. */
export const chooseStart = (seed: number): number =>
  makeSeededRandom(seed ^ 0xda1e).pick([
    Date.UTC(2026, 5, 3, 15),
    Date.UTC(2026, 7, 17, 15),
    Date.UTC(2026, 7, 17, 15),
    Date.UTC(2026, 11, 14, 15),
  ])

const monthEnd = (day: string): string => plusDays(`${plusDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7)}-01`, -1)

const pickJourney = (
  n: number,
  amountCents: number,
  beginsAt: number,
  random: SeededRandom,
): RecurrenceRequestInput["journey"] => {
  const charge = { id: idAt("c", n), amountCents }
  return random.pick<RecurrenceRequestInput["journey"]>([
    { by: "code" },
    { by: "code" },
    { by: "bank", ispb: "12345678", account: "1234", until: new Date(beginsAt + 25 * dayMs) },
    { by: "payment", charge },
    { by: "payment", charge: { ...charge, dueDate: plusDays(dayAt(beginsAt), 6) } },
  ])
}

/** The days of the plan of half of the recurrences. */
const pickRetryOn = (seed: number, n: number, period: Period): Pick<RecurrenceRequestInput, "retryOn"> => {
  const random = makeSeededRandom((seed * 31 + n) ^ 0x4e7)
  const days = random.pick<ReadonlyArray<number>>([[1, 3, 5], [2], [1, 4], [2, 3], [1, 3, 6], [3, 7]])
  return random.chance(0.5) ? { retryOn: days.filter((day) => day <= (period === "weekly" ? 5 : 7)) } : {}
}

export const makeTerms = (seed: number, n: number): RecurrenceRequest => {
  const random = makeSeededRandom(seed * 31 + n)
  const amountCents = 1_000 * random.between(1, 9)
  const beginsAt = chooseStart(seed)
  const someDay = plusDays(dayAt(beginsAt), random.between(12, 40))
  const startDate = random.chance(0.4) ? monthEnd(plusDays(dayAt(beginsAt), 10)) : someDay
  const period = random.pick<Period>(["monthly", "monthly", "monthly", "weekly", "quarterly"])
  const ends = random.chance(0.2) && { endDate: plusDays(startDate, random.between(30, 200)) }
  const amount = random.chance(0.7) && { amountCents }
  const retries = random.pick<"none" | "threeInSeven">(["none", "threeInSeven", "threeInSeven"])
  return Result.getOrThrow(
    parseRecurrenceRequest({
      id: idAt("a", n),
      contract: `contract ${n}`,
      payer: { name: "Ana Souza", taxId: "529.982.247-25" },
      title: "Academia",
      period,
      startDate,
      ...ends,
      ...amount,
      retries,
      ...(retries !== "none" && pickRetryOn(seed, n, period)),
      journey: pickJourney(n, amountCents, beginsAt, random),
    }),
  )
}

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

/** Of each run. */
const recurrences = 3

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

export const makeRecurrencePlan = (seed: number, days: number): ReadonlyArray<RecurrenceStep> => {
  const random = makeSeededRandom(seed ^ 0x5ec0)
  const steps = [...incidents(days, random)]
  for (let n = 1; n <= recurrences; n++) {
    steps.push(...offering(n, random))
    for (let day = 2; day < days; day++) steps.push(...dayOf(n, day, random))
  }
  return steps.toSorted((one, other) => one.atMs - other.atMs)
}
