import { type AuditChange, currentActor } from "@pixcharge/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export interface Author {
  readonly actor?: string | undefined
  /**
   * The time of a provided clock, in epoch milliseconds. Without one, the database sets the time, because its clock is the same
   * for all machines.
   */
  readonly at?: number | undefined
}

const machineClock = Context.get(Context.empty(), Clock.Clock)

export const providedNow: Effect.Effect<number | undefined> = Effect.map(Effect.service(Clock.Clock), (clock) =>
  clock === machineClock ? undefined : clock.currentTimeMillisUnsafe(),
)

export const currentAuthor: Effect.Effect<Author> = Effect.zipWith(currentActor, providedNow, (actor, at) => ({
  actor,
  at,
}))

export const recordDetails = ({ kind: _, ...details }: AuditChange, { at }: Author) =>
  at === undefined ? details : { ...details, at }

/** Returns no columns if the change isn't recorded. */
export const auditColumns = (audit: AuditChange | undefined, author: Author) =>
  audit === undefined
    ? {}
    : { actor: author.actor, audit_kind: audit.kind, audit_details: recordDetails(audit, author) }
