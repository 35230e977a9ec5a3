import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { legibleText } from "../runtime/storable/LegibleText.ts"

const maxLength = 200

/**
 * Who makes a change, as the host names them: an id or a login of its own. Every record of a change names them.
 *
 * @example
 * ```ts
 * import { Actor, DirectoryAdmin } from "@pixcharge/core"
 * import * as Effect from "effect/Effect"
 *
 * const block = (cnpj: string, by: string) =>
 *   Effect.flatMap(DirectoryAdmin, (admin) => admin.setWallet(cnpj, false)).pipe(Effect.provideService(Actor, by))
 * ```
 */
export const Actor = Context.Reference<string | undefined>("@pixcharge/core/ports/Actor", {
  defaultValue: () => undefined,
})

/** The actor as it is recorded: the first 200 characters, as every store can keep and every page can show them; undefined if nobody is named. */
export const currentActor: Effect.Effect<string | undefined> = Effect.map(
  Effect.service(Actor),
  (actor) => legibleText((actor ?? "").slice(0, maxLength)) || undefined,
)

/** What is recorded of somebody who is named, and not of programs that do it all day; undefined if nobody is. */
export const ifNamed = <A>(record: A): Effect.Effect<A | undefined> =>
  Effect.map(currentActor, (actor) => (actor === undefined ? undefined : record))
