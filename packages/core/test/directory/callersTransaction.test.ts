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

/** The host's client of its database, and the transaction in which the calling fiber is, as `withTransaction` of `effect/sql` gives it. */
class Database extends Context.Service<Database, { readonly sees: (within: boolean) => void }>()("Database") {}
class Transaction extends Context.Service<Transaction, string>()("Transaction") {}

/** A query of the host's, which runs in the transaction of its fiber if there is one. */
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
  const live = Layer.merge(directory, delivery).pipe(Layer.provide(database))
  return Effect.as(Effect.provide(Effect.provideService(call, Transaction, "open"), live), seen)
}

it.effect("a company is read in the caller's trace, if it has one", () =>
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

// What it reads there, others would be given after it was rolled back; what it writes there, a rollback would lose with the event.
it.effect("a company is read outside of a transaction in which the caller is", () =>
  Effect.gen(function* () {
    expect(yield* run(Effect.flatMap(CompanyDirectory, ({ find }) => find(cnpj)))).toEqual([false])
  }),
)

it.effect("an event is taken outside of a transaction in which the caller is", () =>
  Effect.gen(function* () {
    const endpoint = { id: "host", kinds: ["paid"], status: "enabled", target: { _tag: "Host" } } as const
    const deliver = Effect.flatMap(CallbackDelivery, (made) => made.deliver(eventCalled("evt_1"), endpoint, 1))
    expect(yield* run(deliver)).toEqual([false])
  }),
)
