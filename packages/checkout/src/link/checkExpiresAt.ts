import { InvalidLink } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import type { AboutRecurrence } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"

const dayMs = 86_400_000
const yearMs = 366 * dayMs

/** Until when a link to the charge may hold: a year after we stop looking for its payment, so that the payer has the receipt. */
export const latestExpiry = ({ watchUntil }: Pick<Charge, "watchUntil">): number => watchUntil + yearMs

/** How long a payer comes back to see whether it was paid, and for the receipt. */
const defaultAfterMs = 30 * dayMs

/** Whole days, so that a link that is asked for again is the same all day. */
const defaultAfter = (now: number): number => Math.ceil(now / dayMs) * dayMs + defaultAfterMs

const defaultExpiry = (charge: Charge, now: number): number =>
  Math.min(latestExpiry(charge), Math.max(charge.payableUntil + defaultAfterMs, defaultAfter(now)))

const isBetween = (moment: number, now: number, latest: number): boolean =>
  Number.isInteger(moment) && moment > now && moment <= latest

/** Returns until when a link to the charge holds, `expiresAt` if that may be; `now` is in epoch milliseconds. */
export const checkExpiresAt = (
  charge: Charge,
  expiresAt: number | undefined,
  now: number,
): Effect.Effect<number, InvalidLink> => {
  const latest = latestExpiry(charge)
  const ending = expiresAt === undefined ? defaultExpiry(charge, now) : expiresAt
  return isBetween(ending, now, latest)
    ? Effect.succeed(ending)
    : Effect.fail(new InvalidLink({ issuer: charge.issuer, id: charge.id, latest }))
}

/** Returns until when a link to a recurrence holds: its payer may need some days, and comes back to see how it stands. */
export const checkRecurrenceExpiresAt = (
  about: AboutRecurrence,
  expiresAt: number | undefined,
  now: number,
): Effect.Effect<number, InvalidLink> => {
  const latest = now + yearMs
  const ending = expiresAt === undefined ? defaultAfter(now) : expiresAt
  return isBetween(ending, now, latest) ? Effect.succeed(ending) : Effect.fail(new InvalidLink({ ...about, latest }))
}
