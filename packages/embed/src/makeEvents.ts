import { InvalidOption } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { checkFilter, checkNames, checkPage, deliveryFields, replayFields, selectionFields } from "./checkFilter.ts"
import type { Calls } from "./makeCalls.ts"
import { pageRequest } from "./pages.ts"
import { parseFilter } from "./parseFilter.ts"
import type { Events } from "./pix/Events.ts"
import { addIso } from "./plain.ts"
import type { Services } from "./services.ts"

const keyForm = /^[\w-]{1,64}$/

const checkKey = (key: string | undefined): Effect.Effect<string | undefined, InvalidOption> =>
  key === undefined || (typeof key === "string" && keyForm.test(key))
    ? Effect.succeed(key)
    : Effect.fail(
        new InvalidOption({ message: "events.ping needs a key of 1 to 64 letters, digits, - or _, or none." }),
      )

/** The deliveries of events, for a plain host. */
export const makeEvents = ({ run, asCompany }: Calls<Services>): Events => ({
  list: (issuer, filter = {}, page = {}) =>
    asCompany(issuer, ({ events }, company) =>
      Effect.flatMap(Effect.all([parseFilter(filter, deliveryFields), checkPage(page)]), ([parsed, checked]) =>
        events.list(company, parsed, pageRequest(checked)),
      ),
    ),
  deadLetters: (issuer, page = {}) =>
    asCompany(issuer, ({ events }, company) =>
      Effect.flatMap(checkPage(page), (checked) => events.deadLetters(company, pageRequest(checked))),
    ),
  attempts: (issuer, eventId, endpointId) =>
    asCompany(issuer, ({ events }, company) =>
      Effect.flatMap(checkNames({ eventId, endpointId }), () => events.attempts(company, eventId, endpointId)),
    ),
  endpoints: (issuer) =>
    asCompany(issuer, ({ events }, company) =>
      Effect.map(events.endpoints(company), (all) => all.map((endpoint) => addIso(endpoint))),
    ),
  replay: (issuer, selection, options = {}) =>
    asCompany(issuer, ({ events }, company) =>
      Effect.flatMap(
        Effect.all([parseFilter(selection, selectionFields), checkFilter(options, replayFields, "options")]),
        ([parsed, { name }]) => events.replay(company, parsed, name),
      ),
    ),
  ping: (issuer, endpointId, key) =>
    asCompany(issuer, ({ events }, company) =>
      Effect.flatMap(checkKey(key), (checked) => events.ping(company, endpointId, checked)),
    ),
  pause: (issuer, endpointId) => asCompany(issuer, ({ events }, company) => events.pause(company, endpointId)),
  resume: (issuer, endpointId) => asCompany(issuer, ({ events }, company) => events.resume(company, endpointId)),
  pauseForAll: (endpointId) => run(({ events }) => events.pauseForAll(endpointId)),
  resumeForAll: (endpointId) => run(({ events }) => events.resumeForAll(endpointId)),
  backlog: () => run(({ events }) => events.backlog),
})
