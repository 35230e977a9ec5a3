import type { Figures } from "@pixcharge/core/internal"
import { addDays, type LocalDate } from "@pixcharge/core/calendar"

const first = "2026-11-16" as LocalDate

const emptyDay = (index: number): Figures["days"][number] => ({
  date: addDays(first, index),
  payments: 0,
  paidCents: 0,
  returns: 0,
  returnedCents: 0,
  delivered: 0,
  dead: 0,
  waiting: 0,
  failedAttempts: 0,
})

const bounds = [60, 300, 3_600, undefined]

/** The figures of a week. All are 0 except the given figures. */
export const someFigures = (
  more: Partial<Figures> = {},
  days: ReadonlyArray<Partial<Figures["days"][number]>> = [],
): Figures => ({
  period: { from: 0, until: 1 },
  days: Array.from({ length: 7 }, (_, index) => ({ ...emptyDay(index), ...days[index] })),
  hours: Array.from({ length: 24 }, (_, hour) => ({ hour, issued: 0, paid: 0 })),
  charges: { issued: 0, paid: 0, expired: 0, failed: 0, cancelled: 0 },
  timeToPayment: {
    buckets: bounds.map((untilSeconds) => ({ ...(untilSeconds !== undefined && { untilSeconds }), charges: 0 })),
  },
  payments: { count: 0, cents: 0 },
  returns: { count: 0, cents: 0 },
  openExceptions: 0,
  deliveries: { waiting: 0, delivered: 0, dead: 0, superseded: 0, failedAttempts: 0 },
  ...more,
})
