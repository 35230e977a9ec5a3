import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { GivenToken } from "../wire/Token.ts"
import { makeSingleFlight } from "./SingleFlight.ts"

/** A token is renewed this long before it ends, or when a tenth of a short life is left. */
const marginMs = 60_000
/** For banks that don't say how long theirs lives. */
const presumedLifetimeMs = 300_000

/** The bank's token for one company. */
export interface AccessToken<E> {
  /** A token that lives: kept, or fetched once for all who wait. */
  readonly get: Effect.Effect<Redacted.Redacted<string>, E>
  /** Forgets this very token, which the bank refused; a newer one stays. */
  readonly forget: (token: Redacted.Redacted<string>) => Effect.Effect<void>
}

const usableMs = ({ lifetimeMs = presumedLifetimeMs }: GivenToken): number =>
  lifetimeMs - Math.min(marginMs, lifetimeMs / 10)

/** Keeps what `fetchToken` gets for as long as it lives. */
export const makeAccessToken = <E>(fetchToken: Effect.Effect<GivenToken, E>, scope: Scope.Scope): AccessToken<E> => {
  const flight = makeSingleFlight<Redacted.Redacted<string>, E>(scope)
  let kept: { readonly token: Redacted.Redacted<string>; readonly until: number } | undefined

  const renew = Effect.gen(function* () {
    // The life of a token counts from when it was asked for: the answer may have taken long.
    const askedAt = yield* Clock.currentTimeMillis
    const given = yield* fetchToken
    const token = Redacted.make(given.token)
    kept = { token, until: askedAt + usableMs(given) }
    return token
  })

  return {
    get: Effect.flatMap(Clock.currentTimeMillis, (now) =>
      kept !== undefined && now < kept.until ? Effect.succeed(kept.token) : flight("token", "", renew),
    ),
    forget: (token) =>
      Effect.sync(() => {
        if (kept?.token === token) kept = undefined
      }),
  }
}
