import { logFailure, makeRecentMap } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Connection } from "./ApiPixConnection.ts"

const dayMs = 86_400_000
const warnedMs = 30 * dayMs

/** Whether something was not said for a day; the caller then says it. */
const makeOnceADay = (maxCount: number) => {
  const saidAt = makeRecentMap<string, number>(maxCount)
  return (what: string, now: number): boolean => {
    if (now - (saidAt.get(what) ?? -Infinity) < dayMs) return false
    saidAt.set(what, now)
    return true
  }
}

const formatDate = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

/** Looks after the certificates of connections: has each renewed, and warns of one that ends within 30 days, once a day. */
export const makeCertificateWatch = (maxCount: number) => {
  const isNew = makeOnceADay(2 * maxCount)

  return Effect.fnUntraced(function* (issuer: Cnpj, { certificate }: Pick<Connection, "certificate">) {
    if (certificate === undefined) return
    const now = yield* Clock.currentTimeMillis
    yield* Effect.try({ try: certificate.renew, catch: (error) => error }).pipe(
      Effect.catch((error) =>
        isNew(`renewal of ${issuer}`, now)
          ? logFailure("Warn", `The certificate of ${issuer} could not be read again: the one before stays`, error)
          : Effect.void,
      ),
    )
    const endsAt = certificate.endsAt()
    if (endsAt === undefined || endsAt - now > warnedMs || !isNew(`end of ${issuer}`, now)) return
    yield* Effect.logWarning(
      `The certificate of ${issuer} ${endsAt > now ? "ends" : "has ended"} on ${formatDate(endsAt)}: renew it at the bank`,
    )
  })
}
