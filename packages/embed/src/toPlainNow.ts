import type { Charge } from "@pixcharge/core/charges"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type PlainCharge, toPlainCharge } from "./plain.ts"

/** A charge as it stands at this moment of the instance's clock. */
export const toPlainNow = <C extends Charge, E>(moving: Effect.Effect<C, E>): Effect.Effect<PlainCharge<C>, E> =>
  Effect.flatMap(moving, (charge) => Effect.map(Clock.currentTimeMillis, (now) => toPlainCharge(charge, now)))
