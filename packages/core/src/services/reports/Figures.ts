import { brasiliaDate, brasiliaWallClock, startOfBrasiliaDay } from "../../model/calendar/BrasiliaTime.ts"
import { addDays, type LocalDate } from "../../model/calendar/LocalDate.ts"
import type { Period } from "../../runtime/page.ts"

const hourMs = 3_600_000

/** An hour, or its part within a period. */
export interface Slot {
  /** Epoch milliseconds. */
  readonly from: number
  /** In Brasília. */
  readonly date: LocalDate
  /** In Brasília, 0 to 23. */
  readonly hour: number
}

const nextHour = (at: number, date: LocalDate): number => {
  const start = startOfBrasiliaDay(date)
  const hour = start + (Math.floor((at - start) / hourMs) + 1) * hourMs
  return Math.min(hour, startOfBrasiliaDay(addDays(date, 1)))
}

/** The hours of a period in Brasília, oldest first. */
export const periodSlots = ({ from, until }: Period): ReadonlyArray<Slot> => {
  const slots: Array<Slot> = []
  for (let index = from; index < until;) {
    const date = brasiliaDate(index)
    slots.push({ from: index, date, hour: Number(brasiliaWallClock(index).slice(11, 13)) })
    index = nextHour(index, date)
  }
  return slots
}

export interface CountAndCents {
  readonly count: number
  readonly cents: number
}

/** One day in Brasília. The first and last day count only their part of the period. */
export interface DayFigures {
  readonly date: LocalDate
  /** Payments of this day, matched or not. */
  readonly payments: number
  readonly paidCents: number
  /** Returns made on this day, of payments of any day. */
  readonly returns: number
  readonly returnedCents: number
  /** Deliveries of the day's events, by their present state. */
  readonly delivered: number
  readonly dead: number
  readonly waiting: number
  /** Failed attempts at these deliveries, since they were made or replayed. */
  readonly failedAttempts: number
}

/** One hour of the day in Brasília, summed over all days. */
export interface HourFigures {
  /** 0 to 23. */
  readonly hour: number
  readonly issued: number
  /** Issued charges that are paid by now, even if returned since. */
  readonly paid: number
}

/** Charges by the time from issue to payment. */
export interface AgeBucket {
  /** Exclusive upper bound; absent in the last bucket. */
  readonly untilSeconds?: number
  readonly charges: number
}

/** Of the charges issued in the period that are paid by now. */
export interface TimeToPayment {
  readonly buckets: ReadonlyArray<AgeBucket>
  /** A bucket's bound; absent without payments, and beyond the last bound. */
  readonly medianSeconds?: number
  /** Nine in ten charges were paid in less; otherwise like `medianSeconds`. */
  readonly p90Seconds?: number
}

/** A company's figures in a period: `pix.figures`. */
export interface Figures {
  readonly period: Period
  /** Every day of the period, oldest first, empty days included. */
  readonly days: ReadonlyArray<DayFigures>
  /** All 24 hours of the day. */
  readonly hours: ReadonlyArray<HourFigures>
  /** Charges issued in the period, by their present state. The rest of `issued` waits for payment. */
  readonly charges: {
    readonly issued: number
    /** Includes charges whose payment was returned since. */
    readonly paid: number
    readonly expired: number
    /** Cycles' charges whose debit the bank has given up. */
    readonly failed: number
    readonly cancelled: number
  }
  readonly timeToPayment: TimeToPayment
  /** Payments, matched or not, by the time of payment. */
  readonly payments: CountAndCents
  /** Returns in the period, also of earlier payments. */
  readonly returns: CountAndCents
  /** The period's payments that settled no charge, and are neither wholly returned nor resolved by now. */
  readonly openExceptions: number
  /** Deliveries of the period's events, by their present state. */
  readonly deliveries: {
    readonly waiting: number
    readonly delivered: number
    readonly dead: number
    readonly superseded: number
    readonly failedAttempts: number
  }
}
