import { type AuditChange, currentActor } from "@pixcharge/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Who makes a change, and when. */
export interface Author {
  readonly actor?: string | undefined
  /** Epoch milliseconds by a clock that was provided. Absent otherwise: the machines' clocks differ, the database's is one. */
  readonly at?: number | undefined
}

const machineClock = Context.get(Context.empty(), Clock.Clock)

/**
 * The moment by a clock that was provided: the sandbox's, or one of an Effect host. All else that is stored has its moments by that
 * clock, too. Undefined where the machine's own is in use.
 */
export const providedNow: Effect.Effect<number | undefined> = Effect.map(Effect.service(Clock.Clock), (clock) =>
  clock === machineClock ? undefined : clock.currentTimeMillisUnsafe(),
)

/** Who makes the change at hand, and when. */
export const currentAuthor: Effect.Effect<Author> = Effect.zipWith(currentActor, providedNow, (actor, at) => ({
  actor,
  at,
}))

/** What a record keeps beside its kind: the facts of the change, and its moment where a clock was provided (`Author`). */
export const recordDetails = ({ kind: _, ...details }: AuditChange, { at }: Author) =>
  at === undefined ? details : { ...details, at }

/** What a change's row says for the audit log, if anything is recorded of it. */
export const auditColumns = (audit: AuditChange | undefined, author: Author) =>
  audit === undefined
    ? {}
    : { actor: author.actor, audit_kind: audit.kind, audit_details: recordDetails(audit, author) }
