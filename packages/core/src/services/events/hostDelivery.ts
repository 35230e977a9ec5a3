import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { EventKind, PixEvent } from "../../model/charge/PixEvent.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { CallbackDelivery, type CallbackEndpoints, type DeliveryOutcome } from "../../ports/CallbackDelivery.ts"
import type { NewDelivery } from "../../ports/ChargeStore.ts"
import type { CompanyDirectory } from "../../ports/CompanyDirectory.ts"
import { callHost, type HostAnswer } from "../../runtime/callHost.ts"

export const makeDeliver = ({
  directory,
  endpoints,
  published,
}: {
  readonly directory: CompanyDirectory["Service"]
  readonly endpoints: CallbackEndpoints["Service"]
  readonly published: ReadonlyArray<EventKind>
}) =>
  Effect.fnUntraced(function* <Kind extends EventKind>(
    issuer: Cnpj,
    kind: Kind,
    makeEvent: (companyName: string) => PixEvent<Kind> | undefined,
  ) {
    if (!published.includes(kind)) return []
    const subscribed = (yield* endpoints.forCompany(issuer)).filter(({ kinds }) => kinds.includes(kind))
    if (subscribed.length === 0) return []
    const entry = yield* directory.find(issuer)
    const event = makeEvent(entry?.company.name ?? "")
    return event === undefined ? [] : subscribed.map(({ id }): NewDelivery<Kind> => ({ event, endpointId: id }))
  })

/**
 * The embedding host's function for events. Once it returns, the event counts as delivered. If it throws, rejects, fails or takes
 * more than 15 s, it gets the event again later, under the same id.
 */
export type EventTaker<R = never> = (event: PixEvent) => HostAnswer<void, R>

const limitMs = 15_000
const maxReasonLength = 1_024

/**
 * Delivers events to the host's own function, with the same durable outbox, attempts and dead letters as over HTTP. Other
 * endpoints' events go to the given `CallbackDelivery`.
 */
export const hostDelivery = <R = never>(
  take: EventTaker<R>,
): Layer.Layer<CallbackDelivery, never, CallbackDelivery | R> =>
  Layer.effect(
    CallbackDelivery,
    Effect.gen(function* () {
      const http = yield* CallbackDelivery
      const services = yield* Effect.context<R>()
      return CallbackDelivery.of({
        deliver: (event, endpoint, attempt) =>
          endpoint.target._tag === "Host"
            ? toOutcome(callHost(() => take(event), services))
            : http.deliver(event, endpoint, attempt),
      })
    }),
  )

const toOutcome = (taken: Effect.Effect<void, unknown>): Effect.Effect<DeliveryOutcome> =>
  taken.pipe(
    Effect.matchCause({
      onSuccess: (): DeliveryOutcome => ({ _tag: "Delivered" }),
      onFailure: (cause): DeliveryOutcome => ({
        _tag: "Retry",
        reason: String(Cause.squash(cause)).slice(0, maxReasonLength),
      }),
    }),
    Effect.timeoutOrElse({
      duration: limitMs,
      orElse: () => Effect.succeed<DeliveryOutcome>({ _tag: "Retry", reason: "the host's function took over 15 s" }),
    }),
  )
