import { Cache } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { BankToken } from "../wire/Token.ts"

/** A token is renewed this long before it ends, or when a tenth of a short life is left. */
const marginMs = 60_000
/** For banks that don't say how long a token lives. */
const presumedLifetimeMs = 300_000

/** The bank's token for one company's calls through one gate. */
export interface AccessToken<E> {
  /** A token that lives: kept, or fetched once for all who wait. */
  readonly get: Effect.Effect<BankToken, E>
  /** Forgets this very token, which the bank refused; a newer one stays. */
  readonly forget: (token: BankToken) => Effect.Effect<void>
}

const usableMs = ({ lifetimeMs = presumedLifetimeMs }: BankToken): number =>
  lifetimeMs - Math.min(marginMs, lifetimeMs / 10)

/** Keeps what `fetchToken` gets for as long as it lives, counted from its request. */
export const makeAccessToken = <E>(fetchToken: Effect.Effect<BankToken, E>, scope: Scope.Scope): AccessToken<E> => {
  const tokens = new Cache({ load: () => fetchToken, maxAgeMs: usableMs, maxCount: 2, scope })
  return {
    get: tokens.get("token"),
    forget: (token) => Effect.sync(() => tokens.forget("token", token)),
  }
}
