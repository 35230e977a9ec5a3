import type { DirectoryAdmin } from "@pixcharge/core"
import type * as Effect from "effect/Effect"

/** `DirectoryAdmin` in promises. */
export type Directory = {
  readonly [Name in keyof DirectoryAdmin["Service"]]: DirectoryAdmin["Service"][Name] extends (
    ...args: infer Args
  ) => Effect.Effect<infer A, infer _E>
    ? (...args: Args) => Promise<A>
    : never
}
