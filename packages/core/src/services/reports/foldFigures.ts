import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { LocalDate } from "../../model/calendar/LocalDate.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { ChargeCounts, Counted, SlotCount } from "../../ports/ChargeLists.ts"
import { PeriodTooLarge } from "../../ports/portErrors.ts"
import type { Period } from "../../runtime/page.ts"
import { type AgeBucket, type DayFigures, type Figures, periodSlots, type Slot, type TimeToPayment } from "./Figures.ts"

const [minute, hour, day] = [60, 3_600, 86_400]

/** Bounds of the time to a payment, in seconds. */
export const ageBounds: ReadonlyArray<number> = [
  15,
  30,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  30 * minute,
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
  3 * day,
  7 * day,
  30 * day,
]

const makeTotals = (counts: ReadonlyArray<SlotCount>) => {
  const total = (counted: SlotCount["counted"], field: "count" | "sum", slots?: ReadonlySet<number>): number => {
    let all = 0
    for (const row of counts) {
      if (row.counted === counted && (slots === undefined || slots.has(row.slot))) all += row[field]
    }
    return all
  }
  const failedAttempts = (slots?: ReadonlySet<number>): number =>
    (["waiting", "delivered", "dead", "superseded"] satisfies ReadonlyArray<Counted>).reduce(
      (all, counted) => all + total(counted, "sum", slots),
      0,
    )
  return { total, failedAttempts }
}

const slotsBy = <K>(slots: ReadonlyArray<Slot>, key: (slot: Slot) => K): ReadonlyMap<K, ReadonlySet<number>> => {
  const numbers = new Map<K, Set<number>>()
  for (const [number, slot] of slots.entries()) {
    const known = numbers.get(key(slot))
    if (known === undefined) numbers.set(key(slot), new Set([number]))
    else known.add(number)
  }
  return numbers
}

/** The bound of the bucket that reaches this share; undefined without charges, and in the last bucket. */
const quantile = (buckets: ReadonlyArray<AgeBucket>, share: number): number | undefined => {
  const all = buckets.reduce((sum, { charges }) => sum + charges, 0)
  let paid = 0
  for (const { charges, untilSeconds } of buckets) {
    paid += charges
    if (all > 0 && paid >= all * share) return untilSeconds
  }
  return undefined
}

const timeToPayment = (counts: ReadonlyArray<SlotCount>): TimeToPayment => {
  const charges = new Map(counts.flatMap((row) => (row.counted === "age" ? [[row.slot, row.count] as const] : [])))
  const buckets = [...ageBounds, undefined].map((untilSeconds, index): AgeBucket => ({
    ...(untilSeconds !== undefined && { untilSeconds }),
    charges: charges.get(index) ?? 0,
  }))
  const [medianSeconds, p90Seconds] = [quantile(buckets, 0.5), quantile(buckets, 0.9)]
  return {
    buckets,
    ...(medianSeconds !== undefined && { medianSeconds }),
    ...(p90Seconds !== undefined && { p90Seconds }),
  }
}

export const foldFigures = (period: Period, slots: ReadonlyArray<Slot>, counts: ReadonlyArray<SlotCount>): Figures => {
  const { total, failedAttempts } = makeTotals(counts)
  const dayFigures = (date: LocalDate, dayNumbers: ReadonlySet<number>): DayFigures => ({
    date,
    payments: total("payment", "count", dayNumbers),
    paidCents: total("payment", "sum", dayNumbers),
    returns: total("return", "count", dayNumbers),
    returnedCents: total("return", "sum", dayNumbers),
    delivered: total("delivered", "count", dayNumbers),
    dead: total("dead", "count", dayNumbers),
    waiting: total("waiting", "count", dayNumbers),
    failedAttempts: failedAttempts(dayNumbers),
  })
  const byHour = slotsBy(slots, (slot) => slot.hour)
  const none: ReadonlySet<number> = new Set()
  return {
    period,
    days: [...slotsBy(slots, ({ date }) => date)].map(([date, of]) => dayFigures(date, of)),
    hours: Array.from({ length: 24 }, (_, index) => ({
      hour: index,
      issued: total("issued", "count", byHour.get(index) ?? none),
      paid: total("paid", "count", byHour.get(index) ?? none),
    })),
    charges: {
      issued: total("issued", "count"),
      paid: total("paid", "count"),
      expired: total("expired", "count"),
      failed: total("failed", "count"),
      cancelled: total("cancelled", "count"),
    },
    timeToPayment: timeToPayment(counts),
    payments: { count: total("payment", "count"), cents: total("payment", "sum") },
    returns: { count: total("return", "count"), cents: total("return", "sum") },
    openExceptions: total("openException", "count"),
    deliveries: {
      waiting: total("waiting", "count"),
      delivered: total("delivered", "count"),
      dead: total("dead", "count"),
      superseded: total("superseded", "count"),
      failedAttempts: failedAttempts(),
    },
  }
}

const hourMs = 3_600_000
/** 31 days, plus an hour where clocks are set back. */
const maxMs = (31 * 24 + 1) * hourMs

export const makeCountFigures = (counts: ChargeCounts["Service"]) =>
  Effect.fnUntraced(function* (issuer: Cnpj, { from, until }: Period) {
    // Refuses NaN, too.
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
