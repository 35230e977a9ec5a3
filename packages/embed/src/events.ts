import type { EventOperations } from "@pixcharge/core"
import type * as Effect from "effect/Effect"
import type { Events } from "./Pix.ts"
import { asCompany, pageOf } from "./plain.ts"

/** The operations on events, for a plain host. */
export const eventsOf = (
  operations: EventOperations["Service"],
  run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>,
): Events => ({
  list: (issuer, filter = {}, page) =>
    run(asCompany(issuer, (company) => operations.list(company, filter, pageOf(page)))),
  deadLetters: (issuer, page) => run(asCompany(issuer, (company) => operations.deadLetters(company, pageOf(page)))),
  attempts: (issuer, eventId, endpointId) =>
    run(asCompany(issuer, (company) => operations.attempts(company, eventId, endpointId))),
  replay: (issuer, selection) => run(asCompany(issuer, (company) => operations.replay(company, selection))),
  ping: (issuer, endpointId) => run(asCompany(issuer, (company) => operations.ping(company, endpointId))),
  pause: (endpointId) => run(operations.pause(endpointId)),
  resume: (endpointId) => run(operations.resume(endpointId)),
  backlog: () => run(operations.backlog),
})
