import * as Context from "effect/Context"
import { defaultKinds, type EventKind } from "../../model/charge/PixEvent.ts"

/** The kinds of events that this instance publishes. */
export const PublishedKinds = Context.Reference<ReadonlyArray<EventKind>>("@pixcharge/core/events/PublishedKinds", {
  defaultValue: () => defaultKinds,
})
