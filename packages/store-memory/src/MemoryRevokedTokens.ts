import { RevokedTokens } from "@pixcharge/core"
import * as Effect from "effect/Effect"

/** Revoked tokens, in this process. */
export const makeRevokedTokens = (): RevokedTokens["Service"] => {
  const untilById = new Map<string, number>()

  const forget = (now: number): void => {
    for (const [id, until] of untilById) if (until <= now) untilById.delete(id)
  }

  return RevokedTokens.of({
    revoke: ({ id, until, now }) =>
      Effect.sync(() => {
        forget(now)
        untilById.set(id, Math.max(until, untilById.get(id) ?? until))
      }),
    list: (now) => Effect.sync(() => [...untilById].flatMap(([id, until]) => (until > now ? [id] : []))),
  })
}
