import { CallbackDelivery, CompanyDirectory, hostDelivery, hostDirectory } from "@pixcharge/core"
import { parseCnpj } from "@pixcharge/core/party"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Tracer from "effect/Tracer"
import { expect } from "vitest"
import { eventCalled } from "../events/dispatching.ts"

const cnpj = Result.getOrThrow(parseCnpj("12345678000195"))

/** The host's database client, and the calling fiber's transaction (`withTransaction` of `effect/sql`). */
class Database extends Context.Service<Database, { readonly sees: (within: boolean) => void }>()("Database") {}
class Transaction extends Context.Service<Transaction, string>()("Transaction") {}

/** Runs in its fiber's transaction, if there is one. */
const query = Effect.gen(function* () {
  const { sees } = yield* Database
  sees(Option.isSome(yield* Effect.serviceOption(Transaction)))
  return { cnpj, name: "Loja", city: "Recife", pixKey: "loja@example.com" }
}).pipe(Effect.withSpan("query"))

const run = <A, E>(call: Effect.Effect<A, E, CompanyDirectory | CallbackDelivery>) => {
  const seen: Array<boolean> = []
  const directory = hostDirectory({ companies: { find: () => query, byPixKey: () => query } })
  const http = Layer.succeed(CallbackDelivery, { deliver: () => Effect.succeed({ _tag: "Gone" }) })
  const delivery = hostDelivery(() => Effect.asVoid(query)).pipe(Layer.provide(http))
  const database = Layer.succeed(Database, { sees: (within) => void seen.push(within) })
  const layer = Layer.merge(directory, delivery).pipe(Layer.provide(database))
  return Effect.as(Effect.provide(Effect.provideService(call, Transaction, "open"), layer), seen)
}

it.effect("the directory reads a company in the caller's trace", () =>
  Effect.gen(function* () {
    const parents: Array<string> = []
    const tracer = Tracer.make({
      span: (options) => {
        if (options.name === "query")
          parents.push(Option.match(options.parent, { onNone: () => "none", onSome: nameOf }))
        return new Tracer.NativeSpan(options)
      },
    })
    const nameOf = (span: Tracer.AnySpan) => (span._tag === "Span" ? span.name : "external")
    const find = Effect.flatMap(CompanyDirectory, (directory) => directory.find(cnpj))
    const traced = Effect.provideService(Effect.withSpan(find, "order"), Tracer.Tracer, tracer)
    yield* run(traced)
    yield* run(Effect.withTracerEnabled(traced, false))
    expect(parents).toEqual(["order"])
  }),
)

// Inside it, a rollback would lose an event, and other callers could get a company whose row was rolled back.
it.effect("the directory reads a company outside the caller's transaction", () =>
  Effect.gen(function* () {
    expect(yield* run(Effect.flatMap(CompanyDirectory, ({ find }) => find(cnpj)))).toEqual([false])
  }),
)

it.effect("the delivery takes an event outside the caller's transaction", () =>
  Effect.gen(function* () {
    const endpoint = { id: "host", kinds: ["paid"], status: "enabled", target: { _tag: "Host" } } as const
    const deliver = Effect.flatMap(CallbackDelivery, (made) => made.deliver(eventCalled("evt_1"), endpoint, 1))
    expect(yield* run(deliver)).toEqual([false])
  }),
)
