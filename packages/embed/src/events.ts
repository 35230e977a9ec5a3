import { type EventOperations, parseChargeId } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { Events } from "./Pix.ts"
import { asCompany, type Run } from "./asCompany.ts"
import { pageRequest } from "./pages.ts"

/** A filter whose charge id was read from text. */
const withChargeId = <A extends { readonly chargeId?: string }>({ chargeId, ...rest }: A) =>
  chargeId === undefined
    ? Effect.succeed(rest)
    : Effect.map(Effect.fromResult(parseChargeId(chargeId)), (id) => ({ ...rest, chargeId: id }))

/** The operations on events, for a plain host. */
export const makeEvents = (operations: EventOperations["Service"], run: Run): Events => ({
  list: (issuer, filter = {}, page) =>
    run(
      asCompany(issuer, (company) =>
        Effect.flatMap(withChargeId(filter), (parsed) => operations.list(company, parsed, pageRequest(page))),
      ),
    ),
  deadLetters: (issuer, page) =>
    run(asCompany(issuer, (company) => operations.deadLetters(company, pageRequest(page)))),
  attempts: (issuer, eventId, endpointId) =>
    run(asCompany(issuer, (company) => operations.attempts(company, eventId, endpointId))),
  replay: (issuer, selection) =>
    run(
      asCompany(issuer, (company) =>
        Effect.flatMap(withChargeId(selection), (parsed) => operations.replay(company, parsed)),
      ),
    ),
  ping: (issuer, endpointId) => run(asCompany(issuer, (company) => operations.ping(company, endpointId))),
  pause: (endpointId) => run(operations.pause(endpointId)),
  resume: (endpointId) => run(operations.resume(endpointId)),
  backlog: () => run(operations.backlog),
})
