// A process under test: the whole engine over the Postgres store. The simulation forks it, gives it its place in the world,
// and kills it.
import { EventOperations, Outbox, PaymentExceptions, PixCharges, type StorePorts } from "@pixcharge/core"
import { postgresStore } from "@pixcharge/store-postgres"
import { eventDirectory } from "@pixcharge/testkit/fixtures"
import { bankProcessorLayer, hostLayer, type HostServices } from "@pixcharge/testkit/simulation"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import pg from "pg"
import { makeAsking } from "./asking.ts"
import { BusinessTime } from "./BusinessTime.ts"
import { businessClock } from "./businessClock.ts"
import { Leaps } from "./Leaps.ts"
import type { FromHost, HostPort, HostSetting, Outcome, ToHost } from "./messages.ts"
import { observedStore } from "./observedStore.ts"
import { scaledOutbox } from "./scaledOutbox.ts"
import { faultyClient } from "./SqlFault.ts"

/** Who is gone needs no answer. */
const tell = (message: FromHost): void => void process.send?.(message, undefined, undefined, () => undefined)

const asking = makeAsking(tell)
let time: BusinessTime | undefined
let services: Context.Context<HostServices> | undefined
let context = Context.empty()
let alive: Fiber.Fiber<unknown, unknown> | undefined

const scaledStore = (store: Context.Context<StorePorts>, speed: number): Context.Context<StorePorts> =>
  Context.add(store, Outbox, scaledOutbox(Context.get(store, Outbox), speed))

const engine = ({ database, time: { speed }, ways, fault }: HostSetting, now: () => number) =>
  Effect.gen(function* () {
    const db = new pg.Pool({ connectionString: database, max: 6, ...(fault && { Client: faultyClient(fault) }) })
    const store = yield* Layer.build(postgresStore({ db, migrations: "check" }))
    return yield* Layer.build(
      hostLayer({
        store: observedStore(scaledStore(store, speed), (call) => tell({ tells: "wrote", call })),
        directory: yield* Layer.build(eventDirectory()),
        processor: bankProcessorLayer(asking.bank({ ways, now })),
        delivery: asking.receivers,
      }),
    )
  })

const start = (setting: HostSetting): void => {
  const { beganAt } = setting.time
  time = new BusinessTime({ ...setting.time, beganAt: beganAt + setting.skewMs }, Leaps.open(setting.leapsFile))
  const own = time
  context = Context.make(Clock.Clock, businessClock(own)).pipe(
    Context.add(Logger.CurrentLoggers, new Set<Logger.Logger<unknown, unknown>>()),
  )
  const living = Effect.gen(function* () {
    services = yield* engine(setting, () => own.now - setting.skewMs)
    tell({ tells: "serves" })
    return yield* Effect.never
  })
  alive = Effect.runForkWith(context)(Effect.scoped(living))
  // Also when the database was out of reach at the beginning: then another is started.
  alive.addObserver(() => process.exit(0))
}

const keys: Readonly<Record<HostPort, Context.Key<never, object>>> = {
  charges: PixCharges as never,
  exceptions: PaymentExceptions as never,
  events: EventOperations as never,
}

const outcomeOf = (exit: Exit.Exit<unknown, unknown>): Outcome => {
  if (Exit.isSuccess(exit)) return { _tag: "Answer", value: exit.value }
  if (Cause.hasDies(exit.cause)) return { _tag: "Defect", what: Cause.pretty(exit.cause) }
  const error: unknown = Cause.squash(exit.cause)
  const isTagged = typeof error === "object" && error !== null && "_tag" in error
  return { _tag: "Failure", error: { _tag: isTagged ? String(error._tag) : String(error) } }
}

const serve = ({ id, port, method, args }: Extract<ToHost, { readonly tells: "call" }>): void => {
  if (services === undefined) return
  const service = Context.getUnsafe(services, keys[port] as never) as Readonly<
    Record<string, (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>>
  >
  const call = Effect.suspend(() => service[method]?.(...args) ?? Effect.die(`there is no ${port}.${method}`))
  Effect.runForkWith(context)(call).addObserver((exit) => tell({ tells: "ended", id, outcome: outcomeOf(exit) }))
}

process.on("message", (message: ToHost) => {
  switch (message.tells) {
    case "start":
      return start(message.setting)
    case "leapt":
      return time?.leapt()
    case "answer":
      return asking.answered(message.id, message.value)
    case "call":
      return serve(message)
    case "stop":
      services = undefined
      return alive?.interruptUnsafe()
    case "ping":
      return void setTimeout(() => setImmediate(tell, { tells: "pong" }), 1)
  }
})
process.on("disconnect", () => process.exit(0))
