import { callbackFetch } from "@pixcharge/callback-fetch"
import { CallbackEndpoints, DueChecks, EventDispatcher, EventOperations, PixCharges } from "@pixcharge/core"
import { chargeEventId } from "@pixcharge/core/charges"
import { lookForWork } from "@pixcharge/core/internal"
import { memoryStore } from "@pixcharge/store-memory"
import {
  aChargeId,
  aNotice,
  cents,
  cnpj,
  cpf,
  type ReceivedPost,
  startReceiver,
  type EventPorts,
  eventPorts,
  issuers,
  paidCharge,
  makeShiftableClock,
} from "@pixcharge/adapter-tests/fixtures"
import { itWith } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import * as Tracer from "effect/Tracer"
import { describe, expect } from "vitest"

const [issuer, neighbour] = issuers
if (issuer === undefined || neighbour === undefined) throw new Error("expected two companies")
const ownEndpoint = `callback-${issuer}`
const page = { limit: 100 }
const aPayer = { name: "Maria das Dores", taxId: cpf("52998224725") }
const hour = 3_600_000

const eventually = Effect.fnUntraced(function* <E, R>(isTrue: Effect.Effect<boolean, E, R>) {
  while (!(yield* isTrue)) yield* Effect.sleep(10)
})

const it = itWith(Logger.layer([]))

const delivery = callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" })

const inWorld = <A>(
  status: (post: ReceivedPost, count: number) => number,
  scenario: (world: {
    readonly received: ReadonlyArray<ReceivedPost>
    readonly advance: (ms: number) => Effect.Effect<void>
  }) => Effect.Effect<A, unknown, EventPorts | EventOperations | EventDispatcher>,
  references: Layer.Layer<never> = Layer.empty,
) =>
  Effect.gen(function* () {
    const own = yield* startReceiver((response, post, count) => response.writeHead(status(post, count)).end("texto"))
    const other = yield* startReceiver((response) => response.end())
    const clock = makeShiftableClock()
    const world = {
      received: own.received,
      advance: (ms: number) =>
        Effect.andThen(
          Effect.sync(() => clock.shiftUnsafe({ businessMs: ms })),
          Effect.sleep(5),
        ),
    }
    const urls = [own.url, other.url, other.url, other.url]
    return yield* scenario(world).pipe(
      Effect.provide(
        Layer.mergeAll(EventDispatcher.layer, EventOperations.layer).pipe(
          Layer.provideMerge(eventPorts({ store: memoryStore(), delivery, urls, clock })),
          Layer.provideMerge(references),
        ),
      ),
    )
  })

const untilDead = Effect.fnUntraced(function* (advance: (ms: number) => Effect.Effect<void>) {
  const operations = yield* EventOperations
  yield* eventually(
    Effect.gen(function* () {
      yield* advance(30 * hour)
      yield* operations.resume(issuer, ownEndpoint)
      return (yield* operations.deadLetters(issuer, page)).items.length === 1
    }),
  )
})

describe("EventOperations", () => {
  it.live("lists an event with every attempt: status, latency and answer", () =>
    inWorld(
      () => 500,
      Effect.fnUntraced(function* ({ received }) {
        const operations = yield* EventOperations
        const charge = yield* paidCharge(issuer)
        yield* eventually(Effect.sync(() => received.length > 0))
        yield* eventually(
          Effect.map(operations.list(issuer, {}, page), ({ items }) => items.every((i) => i.attempts === 1)),
        )
        const { items } = yield* operations.list(issuer, { endpointId: ownEndpoint }, page)
        expect(items).toMatchObject([
          { status: "waiting", attempts: 1, lastAttempt: { status: 500, answer: "texto", error: "HTTP 500" } },
        ])
        const attempts = yield* operations.attempts(issuer, chargeEventId(charge, "paid"), ownEndpoint)
        expect(attempts).toHaveLength(1)
        expect(attempts[0]?.latencyMs).toBeGreaterThanOrEqual(0)
        expect((yield* operations.list(neighbour, {}, page)).items).toEqual([])
      }),
    ),
  )

  it.live("lists dead letters, and replays them by id, charge or period under the same id", () =>
    inWorld(
      (_, count) => (count <= 10 ? 400 : 200),
      Effect.fnUntraced(function* ({ received, advance }) {
        const operations = yield* EventOperations
        const charge = yield* paidCharge(issuer)
        const id = chargeEventId(charge, "paid")
        const dead = Effect.map(operations.deadLetters(issuer, page), ({ items }) => items)
        yield* untilDead(advance)
        expect(received).toHaveLength(10)
        expect((yield* dead)[0]).toMatchObject({ event: { id }, reason: "HTTP 400", attempts: 10 })

        expect(yield* operations.replay(neighbour, { eventId: id })).toBe(0)
        for (const selection of [
          { eventId: id },
          { chargeId: charge.id },
          { period: { from: charge.createdAt - hour, until: charge.createdAt + hour } },
        ]) {
          const before = received.length
          expect(yield* operations.replay(issuer, selection)).toBe(2)
          yield* eventually(Effect.map(operations.backlog, ({ waiting }) => waiting === 0))
          expect(received.length - before).toBe(1)
        }
        expect(new Set(received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([id]))
        expect(new Set(received.map(({ body }) => body)).size).toBe(1)
        const nothing = yield* Effect.flip(operations.replay(issuer, {}))
        expect(nothing).toMatchObject({ _tag: "NothingSelected", issuer })
      }),
    ),
  )

  it.live("replays only `refunded` after a refund, never the dead `paid`", () =>
    inWorld(
      (_, count) => (count <= 10 ? 400 : 200),
      Effect.fnUntraced(function* ({ received, advance }) {
        const operations = yield* EventOperations
        const charge = yield* paidCharge(issuer)
        yield* untilDead(advance)
        yield* (yield* PixCharges).refund(issuer, charge.id)
        const allDelivered = eventually(
          Effect.andThen(
            Effect.andThen(advance(60_000), operations.resume(issuer, ownEndpoint)),
            Effect.map(operations.backlog, ({ waiting }) => waiting === 0),
          ),
        )
        yield* allDelivered
        expect(yield* operations.replay(issuer, { eventId: chargeEventId(charge, "paid") })).toBe(0)
        expect(yield* operations.replay(issuer, { chargeId: charge.id })).toBe(2)
        yield* allDelivered
        const kinds = received.slice(10).map(({ body }) => JSON.parse(body).tipo)
        expect(kinds).toEqual(["pix.estornado", "pix.estornado"])
      }),
    ),
  )

  it.live("sends a test event to one endpoint of the company", () =>
    inWorld(
      () => 200,
      Effect.fnUntraced(function* ({ received }) {
        const operations = yield* EventOperations
        const { id } = yield* operations.ping(issuer, ownEndpoint)
        yield* eventually(Effect.sync(() => received.length === 1))
        expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({ id, tipo: "pix.teste" })
        expect(id).toMatch(/^evt_[0-9a-f]{32}_test$/)
        const refusals = [
          operations.ping(issuer, `callback-${neighbour}`),
          operations.pause(issuer, "nobody"),
          operations.resume(issuer, `callback-${neighbour}`),
          operations.pauseForAll("nobody"),
          operations.resumeForAll("nobody"),
        ]
        for (const refused of refusals)
          expect((yield* Effect.flip(refused as Effect.Effect<unknown, { _tag: string }>))._tag).toBe(
            "EndpointNotFound",
          )
        const nobody = cnpj("00000000000191")
        expect(yield* Effect.flip(operations.ping(nobody, ownEndpoint))).toMatchObject({ _tag: "CompanyNotFound" })
      }),
    ),
  )

  it.live("holds a paused endpoint's events until the endpoint is resumed", () =>
    inWorld(
      () => 200,
      Effect.fnUntraced(function* ({ received }) {
        const operations = yield* EventOperations
        yield* operations.pause(issuer, ownEndpoint)
        yield* Effect.forEach([1, 2, 3], () => paidCharge(issuer))
        // The reseller's endpoint got every event: only the company's three wait.
        yield* eventually(Effect.map(operations.backlog, ({ waiting }) => waiting === 3))
        expect(received).toHaveLength(0)
        yield* operations.resume(issuer, ownEndpoint)
        yield* eventually(Effect.sync(() => received.length === 3))
      }),
    ),
  )

  it.live("lists endpoints by host, without path, with queue and health", () =>
    inWorld(
      (_, count) => (count <= 1 ? 500 : 200),
      Effect.fnUntraced(function* ({ received, advance }) {
        const operations = yield* EventOperations
        const endpointsById = Effect.map(
          operations.endpoints(issuer),
          (all) => new Map(all.map((one) => [one.id, one])),
        )
        const idle = yield* endpointsById
        expect([...idle.values()]).toMatchObject([
          { status: "enabled", health: "healthy", waiting: 0, retrying: 0 },
          { status: "enabled", health: "healthy", waiting: 0, retrying: 0 },
        ])
        expect(idle.get(ownEndpoint)?.host).toMatch(/^127\.0\.0\.1:\d+$/)
        expect(JSON.stringify([...idle.values()])).not.toMatch(/whsec|secret|https?:/)
        yield* paidCharge(issuer)
        yield* eventually(Effect.map(endpointsById, (all) => all.get(ownEndpoint)?.health === "failing"))
        const { waiting, retrying, oldestAt } = (yield* endpointsById).get(ownEndpoint) ?? {}
        expect([waiting, retrying, typeof oldestAt]).toEqual([1, 1, "number"])
        yield* operations.pause(issuer, ownEndpoint)
        expect((yield* endpointsById).get(ownEndpoint)?.status).toBe("paused")
        yield* eventually(
          Effect.andThen(
            Effect.andThen(advance(60_000), operations.resume(issuer, ownEndpoint)),
            Effect.map(endpointsById, (all) => all.get(ownEndpoint)?.health === "healthy"),
          ),
        )
        expect(received).toHaveLength(2)
        const strangers = yield* operations.endpoints(cnpj("00000000000191"))
        expect(strangers.filter(({ isOwn }) => isOwn)).toEqual([])
      }),
    ),
  )

  it.live("resumes an endpoint that a 410 disabled", () =>
    inWorld(
      (_, count) => (count === 1 ? 410 : 200),
      Effect.fnUntraced(function* ({ received, advance }) {
        const operations = yield* EventOperations
        const endpoints = yield* CallbackEndpoints
        yield* paidCharge(issuer)
        yield* eventually(Effect.map(endpoints.find(ownEndpoint), (own) => own?.status === "disabled"))
        yield* advance(hour)
        yield* paidCharge(issuer)
        // The reseller's endpoint got every event: only the company's two wait.
        yield* eventually(Effect.map(operations.backlog, ({ waiting }) => waiting === 2))
        expect(received).toHaveLength(1)
        yield* operations.resume(issuer, ownEndpoint)
        yield* eventually(Effect.sync(() => received.length === 3))
        yield* eventually(Effect.map(operations.backlog, ({ waiting }) => waiting === 0))
      }),
    ),
  )

  it.live("shows attempts, outcomes and the queue in metrics and spans, without payer data", () =>
    Effect.gen(function* () {
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        },
      })
      const registry: typeof Metric.MetricRegistry.Service = new Map()
      const shown = yield* inWorld(
        (_, count) => (count === 1 ? 500 : 200),
        Effect.fnUntraced(function* ({ received, advance }) {
          const operations = yield* EventOperations
          const charges = yield* PixCharges
          const charge = yield* charges.issue(issuer, { id: aChargeId(), amountCents: cents(1990), payer: aPayer })
          yield* charges.confirmPayment(aNotice(charge))
          yield* eventually(Effect.sync(() => received.length === 1))
          yield* eventually(
            Effect.gen(function* () {
              yield* advance(10_000)
              yield* operations.resume(issuer, ownEndpoint)
              return (yield* operations.backlog).waiting === 0
            }),
          )
          yield* Effect.flatMap(DueChecks, lookForWork)
          return (yield* operations.list(issuer, {}, page)).items
        }),
        Layer.merge(Layer.succeed(Tracer.Tracer, tracer), Layer.succeed(Metric.MetricRegistry, registry)),
      )
      const metrics = [...registry.values()].map(({ id, attributes }) => ({ id, attributes }))
      for (const outcome of ["delivered", "retry"]) {
        const attributes = expect.objectContaining({ outcome })
        expect(metrics).toContainEqual({ id: "pix_event_attempts", attributes })
      }
      for (const id of ["pix_event_attempt_latency_ms", "pix_events_waiting", "pix_events_oldest_age_ms"]) {
        expect(metrics).toContainEqual(expect.objectContaining({ id }))
      }
      const delivering = spans.filter(({ name }) => name === "pix.event.deliver")
      const facts = delivering.map(({ attributes }) => Object.fromEntries(attributes))
      expect(delivering.map(({ kind }) => kind)).toEqual(["producer", "producer", "producer"])
      expect(facts).toContainEqual(
        expect.objectContaining({
          "endpoint.id": ownEndpoint,
          "delivery.attempt": 2,
          "delivery.outcome": "Delivered",
          "http.response.status_code": 200,
        }),
      )
      const everything = JSON.stringify([metrics, facts, shown])
      expect(everything).not.toContain(aPayer.name)
      expect(everything).not.toContain(aPayer.taxId)
    }),
  )
})
