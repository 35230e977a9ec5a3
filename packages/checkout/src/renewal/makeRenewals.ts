import { ChargeStore, type StoreUnavailable } from "@pixcharge/core"
import { logFailure, makeCache } from "@pixcharge/core/internal"
import { type Charge, type ChargeId, chargeStatus } from "@pixcharge/core/charges"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ChargePlace } from "../hub/WatchedCharges.ts"
import type { Capability } from "../link/Capability.ts"
import { latestExpiry } from "../link/checkExpiresAt.ts"
import { type ExpiredCharge, expiredCharge, type Renew } from "./Renew.ts"

/** Why a charge has no other one in its place. */
export interface NotRenewed {
  readonly _tag: "NotRenewed"
  readonly reason: "notExpired" | "failed"
}

const notRenewed = (reason: NotRenewed["reason"]): Effect.Effect<never, NotRenewed> =>
  Effect.fail({ _tag: "NotRenewed", reason })

const hostMs = 15_000
/** A repeat within this time asks neither host nor store. */
const keptMs = 5_000
const mostKept = 1_000
const dayMs = 86_400_000

/** What takes the place of expired charges, each made once however often it is asked for. */
export interface Renewals {
  /** The charge that takes the place of one that has expired, and until when a link to it holds. */
  readonly renew: (expired: Capability) => Effect.Effect<Capability, NotRenewed | StoreUnavailable>
}

/** A link holds as long after its charge's promised moment as the one before, and a day at least. */
const linkOf = (next: Charge, before: Charge, { expiresAt }: Capability): Capability => ({
  issuer: next.issuer,
  id: next.id,
  expiresAt: Math.min(latestExpiry(next), next.payableUntil + Math.max(dayMs, expiresAt - before.payableUntil)),
})

export const makeRenewals = Effect.fnUntraced(function* (renew: Renew) {
  const store = yield* ChargeStore

  /** The host's function is awaited, whatever it is made of. */
  const askHost = (expired: ExpiredCharge) =>
    Effect.tryPromise({ try: async () => void (await renew(expired)), catch: (cause) => cause }).pipe(
      Effect.timeoutOrElse({ duration: hostMs, orElse: () => Effect.fail(`no answer within ${hostMs} ms`) }),
      Effect.catchCause((cause) =>
        Effect.andThen(logFailure("Warn", "The host's function renew gave no new charge", cause), notRenewed("failed")),
      ),
    )

  const made = Effect.fnUntraced(function* (charge: Charge) {
    const expired = expiredCharge(charge)
    const newId = expired.newId as ChargeId
    const known = yield* store.find(charge.issuer, newId)
    if (known !== undefined) return known
    yield* askHost(expired)
    const issued = yield* store.find(charge.issuer, newId)
    if (issued !== undefined) return issued
    yield* Effect.logWarning("The host's function renew has issued no charge under newId")
    return yield* notRenewed("failed")
  })

  const successors = makeCache({
    load: Effect.fnUntraced(function* (key: string) {
      const [issuer, id] = key.split(" ") as [ChargePlace["issuer"], ChargePlace["id"]]
      const charge = yield* store.find(issuer, id)
      const isExpired = charge !== undefined && chargeStatus(charge, yield* Clock.currentTimeMillis) === "expired"
      if (!isExpired) return yield* notRenewed("notExpired")
      return { charge, next: yield* made(charge) }
    }),
    maxAgeMs: keptMs,
    maxCount: mostKept,
  })

  const renewals: Renewals = {
    renew: (expired) =>
      Effect.map(successors.get(`${expired.issuer} ${expired.id}`), ({ charge, next }) =>
        linkOf(next, charge, expired),
      ),
  }
  return renewals
})
