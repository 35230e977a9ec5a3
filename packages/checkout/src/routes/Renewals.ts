import type { ChargeStore, StoreUnavailable } from "@pixcharge/core"
import { type Charge, type ChargeId, chargeStatus } from "@pixcharge/core/charges"
import { Cache, logFailure } from "@pixcharge/core/internal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { type Capability, latestExpiry } from "../link/Capability.ts"

/** An expired charge, and the id of its replacement. */
export interface ExpiredCharge {
  /** The CNPJ of the company that issued it. */
  readonly issuer: string
  readonly id: string
  /** A UUID derived from `issuer` and `id`: the same in every process. */
  readonly newId: string
  readonly amountCents: number
  /** `YYYY-MM-DD`; absent for an immediate charge. */
  readonly dueDate?: string
}

/**
 * A function of the host that issues a charge under `newId` to replace the expired one.
 *
 * The checkout first asks the bank whether the expired charge was paid. It doesn't call the function if the new charge exists. If
 * no charge is issued within 15 s, the payer gets no new code and can try again.
 */
export type Renew = (expired: ExpiredCharge) => unknown

/** A UUID of version 8 (RFC 9562). */
const renewedId = (issuer: string, id: string): string =>
  createHash("sha256")
    .update(`pixcharge renewal|${issuer}|${id}`)
    .digest("hex")
    .replace(/(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, "$1-$2-8$3-8$4-$5")

export const expiredCharge = ({ issuer, id, amountCents, dueDate }: Charge): ExpiredCharge => ({
  issuer,
  id,
  newId: renewedId(issuer, id),
  amountCents,
  ...(dueDate !== undefined && { dueDate }),
})

export interface NotRenewed {
  readonly _tag: "NotRenewed"
  readonly reason: "notExpired" | "failed"
}

const failRenewal = (reason: NotRenewed["reason"]): Effect.Effect<never, NotRenewed> =>
  Effect.fail({ _tag: "NotRenewed", reason })

const requireExpired = Effect.fnUntraced(function* (charge: Charge | undefined) {
  const isExpired = charge !== undefined && chargeStatus(charge, yield* Clock.currentTimeMillis) === "expired"
  return isExpired ? charge : yield* failRenewal("notExpired")
})

const orFail = <A>(effect: Effect.Effect<A, unknown>, text: string): Effect.Effect<A, NotRenewed> =>
  Effect.catchCause(effect, (cause) => Effect.andThen(logFailure("Warn", text, cause), failRenewal("failed")))

const maxRenewMs = 15_000
/** Repeated requests within this time call neither the host nor the store. */
const keptMs = 5_000
const maxKept = 1_000
const dayMs = 86_400_000

const makeLink = (next: Charge, before: Charge, { expiresAt }: Capability): Capability => ({
  issuer: next.issuer,
  id: next.id,
  expiresAt: Math.min(latestExpiry(next), next.payableUntil + Math.max(dayMs, expiresAt - before.payableUntil)),
})

export type LookUpCharge = (charge: Charge) => Effect.Effect<Charge, unknown>

/** Replaces each expired charge once. */
export class Renewals {
  readonly #store: ChargeStore["Service"]
  readonly #renew: Renew
  readonly #lookUp: LookUpCharge
  /** The replacement of each expired charge, by `issuer id`. */
  readonly #successors = new Cache({
    load: (key: string) => this.#replace(...(key.split(" ") as [Capability["issuer"], ChargeId])),
    maxAgeMs: keptMs,
    maxCount: maxKept,
  })

  constructor(store: ChargeStore["Service"], renew: Renew, lookUp: LookUpCharge) {
    this.#store = store
    this.#renew = renew
    this.#lookUp = lookUp
  }

  renew(expired: Capability): Effect.Effect<Capability, NotRenewed | StoreUnavailable> {
    return Effect.map(this.#successors.get(`${expired.issuer} ${expired.id}`), ({ charge, next }) =>
      makeLink(next, charge, expired),
    )
  }

  readonly #replace = Effect.fnUntraced(
    { self: this },
    function* (this: Renewals, issuer: Capability["issuer"], id: ChargeId) {
      const charge = yield* requireExpired(yield* this.#store.find(issuer, id))
      return { charge, next: yield* this.#findOrIssue(charge) }
    },
  )

  readonly #findOrIssue = Effect.fnUntraced({ self: this }, function* (this: Renewals, charge: Charge) {
    const expired = expiredCharge(charge)
    const newId = expired.newId as ChargeId
    const found = yield* this.#store.find(charge.issuer, newId)
    if (found !== undefined) return found
    yield* this.#askBank(charge)
    yield* this.#callHost(expired)
    const issued = yield* this.#store.find(charge.issuer, newId)
    if (issued !== undefined) return issued
    yield* Effect.logWarning("The host's function renew has issued no charge under newId")
    return yield* failRenewal("failed")
  })

  /** Asks the bank, because a lost notice can hide a payment. */
  #askBank(charge: Charge) {
    return Effect.flatMap(
      orFail(this.#lookUp(charge), "The bank did not say whether an expired charge was paid"),
      requireExpired,
    )
  }

  #callHost(expired: ExpiredCharge) {
    const renew = this.#renew
    const call = Effect.tryPromise({ try: async () => void (await renew(expired)), catch: (cause) => cause })
    const late = () => Effect.fail(`no answer within ${maxRenewMs} ms`)
    return orFail(
      Effect.timeoutOrElse(call, { duration: maxRenewMs, orElse: late }),
      "The host's function renew failed",
    )
  }
}
