import * as Effect from "effect/Effect"
import type { EventKind, PixEvent } from "../charges/rules/PixEvent.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { CallbackEndpoints } from "../ports/CallbackEndpoints.ts"
import type { NewDelivery } from "../ports/ChargeStore.ts"
import type { CompanyDirectory } from "../ports/CompanyDirectory.ts"

/** Makes an event for each endpoint of the company that chose its kind; the event itself is made only if there is one. */
export const makeDeliver = ({
  directory,
  endpoints,
}: {
  readonly directory: CompanyDirectory["Service"]
  readonly endpoints: CallbackEndpoints["Service"]
}) =>
  Effect.fnUntraced(function* (
    issuer: Cnpj,
    kind: EventKind,
    makeEvent: (companyName: string) => PixEvent | undefined,
  ) {
    const subscribed = (yield* endpoints.forCompany(issuer)).filter(({ kinds }) => kinds.includes(kind))
    if (subscribed.length === 0) return []
    const entry = yield* directory.find(issuer)
    const event = makeEvent(entry?.company.name ?? "")
    return event === undefined ? [] : subscribed.map(({ id }): NewDelivery => ({ event, endpointId: id }))
  })
