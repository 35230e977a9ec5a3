import { InvalidLink } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"

const yearMs = 366 * 86_400_000

/** Until when a link to the charge may hold: a year after we stop looking for its payment, so that the payer has the receipt. */
export const latestExpiry = ({ watchUntil }: Pick<Charge, "watchUntil">): number => watchUntil + yearMs

/** Returns `expiresAt` if a link to the charge may end then; `now` is in epoch milliseconds. */
export const checkExpiresAt = (charge: Charge, expiresAt: number, now: number): Effect.Effect<number, InvalidLink> => {
  const latest = latestExpiry(charge)
  const isValid = Number.isInteger(expiresAt) && expiresAt > now && expiresAt <= latest
  return isValid
    ? Effect.succeed(expiresAt)
    : Effect.fail(new InvalidLink({ issuer: charge.issuer, id: charge.id, latest }))
}
