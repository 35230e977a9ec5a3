import { parseRecurrenceRequest, type RecurrenceRequest, type RecurrenceRequestInput } from "@pixcharge/core/recurrence"
import * as Result from "effect/Result"
import { dayAt, dayMs, type Period, plusDays } from "../judge/recurrences/calendar.ts"
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
