import { brasiliaDate, brasiliaWallClock, startOfBrasiliaDay } from "../../model/calendar/BrasiliaTime.ts"
import { addDays, type LocalDate } from "../../model/calendar/LocalDate.ts"
import type { Period } from "../../runtime/page.ts"

const hourMs = 3_600_000

/** An hour, or the part of one that lies in a period. */
export interface Slot {
  /** Epoch milliseconds. */
  readonly from: number
  /** In Brasília. */
  readonly date: LocalDate
  /** In Brasília, 0 to 23. */
  readonly hour: number
}

/** When the next hour begins in Brasília, or the next day. */
const nextHour = (at: number, date: LocalDate): number => {
  const start = startOfBrasiliaDay(date)
  const hour = start + (Math.floor((at - start) / hourMs) + 1) * hourMs
  return Math.min(hour, startOfBrasiliaDay(addDays(date, 1)))
}

/** The hours of a period in Brasília, oldest first; none of an empty one. */
export const periodSlots = ({ from, until }: Period): ReadonlyArray<Slot> => {
  const slots: Array<Slot> = []
  for (let at = from; at < until;) {
    const date = brasiliaDate(at)
    slots.push({ from: at, date, hour: Number(brasiliaWallClock(at).slice(11, 13)) })
    at = nextHour(at, date)
  }
  return slots
}

/** How many, and of how much. */
export interface CountAndCents {
  readonly count: number
  readonly cents: number
}

/** One day in Brasília; of the first and the last day what lies in the period. */
export interface DayFigures {
  readonly date: LocalDate
  /** Payments made on the day, matched or not. */
  readonly payments: number
  readonly paidCents: number
  /** Returns made on the day, of any payment. */
  readonly returns: number
  readonly returnedCents: number
  /** Deliveries of events of the day, by where they stand now. */
  readonly delivered: number
  readonly dead: number
  readonly waiting: number
  /** Attempts at these deliveries that failed, since they were made or replayed. */
  readonly failedAttempts: number
}

/** One hour of the day in Brasília, of all days together. */
export interface HourFigures {
  /** 0 to 23. */
  readonly hour: number
  /** Charges issued in this hour. */
  readonly issued: number
  /** Of these, how many had their payment by now, also if it went back since. */
  readonly paid: number
}

/** Charges that were paid within some time of being issued. */
export interface AgeBucket {
  /** They were paid in less than this, and not in less than the bound of the bucket before; absent in the last, open one. */
  readonly untilSeconds?: number
  readonly charges: number
}

/** How long payers took: of the charges issued in the period that had their payment by now. */
export interface TimeToPayment {
  readonly buckets: ReadonlyArray<AgeBucket>
  /** Half of them were paid in less than this: the bound of the bucket; absent without payments, and beyond the last bound. */
  readonly medianSeconds?: number
  /** The same of nine in ten. */
  readonly p90Seconds?: number
}

/** What a company did in a period: `pix.figures`. */
export interface Figures {
  readonly period: Period
  /** Every day of the period, oldest first, those without anything, too. */
  readonly days: ReadonlyArray<DayFigures>
  /** All 24. */
  readonly hours: ReadonlyArray<HourFigures>
  /** The charges issued in the period, as they stand now; what is in none of the others waits to be paid. */
  readonly charges: {
    readonly issued: number
    /** They had their payment, also if it went back since. */
    readonly paid: number
    readonly expired: number
    /** Cycles' charges whose debit the bank has given up. */
    readonly failed: number
    readonly cancelled: number
  }
  readonly timeToPayment: TimeToPayment
  /** Payments made in the period, matched or not. */
  readonly payments: CountAndCents
  /** Returns made in the period, of any payment. */
  readonly returns: CountAndCents
  /** Payments made in the period that settled no charge, and are neither wholly returned nor resolved by now. */
  readonly openExceptions: number
  /** Deliveries of events of the period, by where they stand now. */
  readonly deliveries: {
    readonly waiting: number
    readonly delivered: number
    /** Dead letters. */
    readonly dead: number
    readonly superseded: number
    readonly failedAttempts: number
  }
}
