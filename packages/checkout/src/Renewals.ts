import { ChargeStore, type StoreUnavailable } from "@pixcharge/core"
import { type Charge, type ChargeId, chargeStatus } from "@pixcharge/core/charges"
import { Cache, logFailure } from "@pixcharge/core/internal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { type Capability, latestExpiry } from "./link/Capability.ts"

/** A charge that has expired, and the id of the charge that its payer gets instead. */
export interface ExpiredCharge {
  /** The CNPJ of the company that issued it. */
  readonly issuer: string
  readonly id: string
  /** A UUID that follows from `id`: the same each time, in every process. */
  readonly newId: string
  readonly amountCents: number
  /** `YYYY-MM-DD`; absent for an immediate charge. */
  readonly dueDate?: string
}

/**
 * A function of the host that issues a charge under `newId`, for what the expired one was for.
 *
 * The bank is asked first whether the expired charge was paid. It is not called once the new charge exists. If it rejects, or issues no charge within 15 s, the payer gets no new code for now
 * and may try again.
 */
export type Renew = (expired: ExpiredCharge) => unknown

/** A UUID of version 8 (RFC 9562) that follows from the charge's. */
const renewedId = (issuer: string, id: string): string =>
  createHash("sha256")
    .update(`pixcharge renewal|${issuer}|${id}`)
    .digest("hex")
    .replace(/(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, "$1-$2-8$3-8$4-$5")

/** What the host learns of an expired charge. */
export const expiredCharge = ({ issuer, id, amountCents, dueDate }: Charge): ExpiredCharge => ({
  issuer,
  id,
  newId: renewedId(issuer, id),
  amountCents,
  ...(dueDate !== undefined && { dueDate }),
})

/** Why no new charge takes the place of another. */
export interface NotRenewed {
  readonly _tag: "NotRenewed"
  readonly reason: "notExpired" | "failed"
}

const failRenewal = (reason: NotRenewed["reason"]): Effect.Effect<never, NotRenewed> =>
  Effect.fail({ _tag: "NotRenewed", reason })

/** How long the host's function may take. */
const maxRenewMs = 15_000
/** How long a renewal is kept: a repeat within this time calls neither host nor store. */
const keptMs = 5_000
const maxKept = 1_000
const dayMs = 86_400_000

/** Gives expired charges a new one, each of them once. */
export interface Renewals {
  /** The link of the charge that takes the place of an expired one. */
  readonly renew: (expired: Capability) => Effect.Effect<Capability, NotRenewed | StoreUnavailable>
}

/** The new link holds as long after its charge's promised moment as the old one, and a day at least. */
const makeLink = (next: Charge, before: Charge, { expiresAt }: Capability): Capability => ({
  issuer: next.issuer,
  id: next.id,
  expiresAt: Math.min(latestExpiry(next), next.payableUntil + Math.max(dayMs, expiresAt - before.payableUntil)),
})

/** Asks the bank for a charge, and records what it shows. */
export type LookUpCharge = (charge: Charge) => Effect.Effect<Charge, unknown>

export const makeRenewals = Effect.fnUntraced(function* (renew: Renew, lookUp: LookUpCharge) {
  const store = yield* ChargeStore

  const requireExpired = Effect.fnUntraced(function* (charge: Charge | undefined) {
    const isExpired = charge !== undefined && chargeStatus(charge, yield* Clock.currentTimeMillis) === "expired"
    return isExpired ? charge : yield* failRenewal("notExpired")
  })

  /** Its payment may have come with its notice lost: a second code would be paid, too. */
  const askBank = (charge: Charge) =>
    Effect.flatMap(
      Effect.catchCause(lookUp(charge), (cause) =>
        Effect.andThen(
          logFailure("Warn", "The bank did not say whether an expired charge was paid", cause),
          failRenewal("failed"),
        ),
      ),
      requireExpired,
    )

  /** The host's function may be written in any way: it may throw, reject, or never settle. */
  const callHost = (expired: ExpiredCharge) =>
    Effect.tryPromise({ try: async () => void (await renew(expired)), catch: (cause) => cause }).pipe(
      Effect.timeoutOrElse({ duration: maxRenewMs, orElse: () => Effect.fail(`no answer within ${maxRenewMs} ms`) }),
      Effect.catchCause((cause) =>
        Effect.andThen(
          logFailure("Warn", "The host's function renew gave no new charge", cause),
          failRenewal("failed"),
        ),
      ),
    )

  const findOrIssue = Effect.fnUntraced(function* (charge: Charge) {
    const expired = expiredCharge(charge)
    const newId = expired.newId as ChargeId
    const found = yield* store.find(charge.issuer, newId)
    if (found !== undefined) return found
    yield* askBank(charge)
    yield* callHost(expired)
    const issued = yield* store.find(charge.issuer, newId)
    if (issued !== undefined) return issued
    yield* Effect.logWarning("The host's function renew has issued no charge under newId")
    return yield* failRenewal("failed")
  })

  const successors = new Cache({
    load: Effect.fnUntraced(function* (key: string) {
      const [issuer, id] = key.split(" ") as [Capability["issuer"], ChargeId]
      const charge = yield* requireExpired(yield* store.find(issuer, id))
      return { charge, next: yield* findOrIssue(charge) }
    }),
    maxAgeMs: keptMs,
    maxCount: maxKept,
  })

  const renewals: Renewals = {
    renew: (expired) =>
      Effect.map(successors.get(`${expired.issuer} ${expired.id}`), ({ charge, next }) =>
        makeLink(next, charge, expired),
      ),
  }
  return renewals
})
