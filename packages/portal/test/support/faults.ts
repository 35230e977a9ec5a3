import {
  AuditLog,
  ChargeCounts,
  ChargeLists,
  ExceptionStore,
  Outbox,
  PaymentProcessor,
  ProcessorUnavailable,
  TooManyReports,
} from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

type Processor = PaymentProcessor["Service"]

/** The sandbox's processor, with other members. */
export const changedProcessor = (change: (processor: Processor) => Partial<Processor>) => {
  const layer = Layer.effectContext(
    Effect.map(Layer.build(sandboxProcessor()), (context) => {
      const processor = Context.get(context, PaymentProcessor)
      return Context.add(context, PaymentProcessor, { ...processor, ...change(processor) })
    }),
  )
  return Object.assign(layer, { environment: "sandbox" as const })
}

/** A processor that refuses a refund if `refuse` returns a reason. */
export const refusingProcessor = (refuse: () => string | undefined) =>
  changedProcessor(({ refund }) => ({
    refund: (order) =>
      Effect.suspend(() => {
        const reason = refuse()
        return reason === undefined ? refund(order) : Effect.succeed({ _tag: "Rejected", reason })
      }),
  }))

/** A processor whose refunds stay under way until `isDone` returns true. */
export const slowProcessor = (isDone: () => boolean) =>
  changedProcessor(({ refund }) => {
    const refundWhenDone: Processor["refund"] = (order) =>
      Effect.suspend(() => (isDone() ? refund(order) : Effect.succeed({ _tag: "Processing" })))
    return { refund: refundWhenDone, lookupRefund: refundWhenDone }
  })

/** A processor whose list of payments is empty. */
export const forgetfulProcessor = () => changedProcessor(() => ({ payments: () => Effect.succeed({ items: [] }) }))

/** A processor that doesn't answer a request for its list of payments. */
export const silentProcessor = () =>
  changedProcessor(() => ({ payments: () => new ProcessorUnavailable({ operation: "payments" }) }))

const countCalls = (port: string, service: object, calls: Array<string>): object =>
  new Proxy(service, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== "function") return member
      return (...args: ReadonlyArray<unknown>) => {
        calls.push(`${port}.${String(name)}`)
        return Reflect.apply(member, target, args)
      }
    },
  })

/** A store that refuses every report because too many are running. */
export const crowdedStore = () => {
  const refuse = (issuer: Cnpj) => new TooManyReports({ issuer, retryAfterMs: 5_000 })
  return Layer.effectContext(
    Effect.map(Layer.build(memoryStore()), (context) =>
      context.pipe(
        Context.add(ChargeCounts, { count: refuse }),
        Context.add(ChargeLists, { ...Context.get(context, ChargeLists), charges: refuse, payments: refuse }),
        Context.add(ExceptionStore, { ...Context.get(context, ExceptionStore), listOpen: refuse, search: refuse }),
        Context.add(Outbox, { ...Context.get(context, Outbox), list: refuse, queueDepth: refuse }),
        Context.add(AuditLog, { ...Context.get(context, AuditLog), list: refuse }),
      ),
    ),
  )
}

export const countedStore = () => {
  const calls: Array<string> = []
  const store = Layer.effectContext(
    Effect.map(Layer.build(memoryStore()), (context) => {
      const services = new Map<string, unknown>(context.mapUnsafe)
      for (const [port, service] of services) services.set(port, countCalls(port, Object(service), calls))
      return Context.makeUnsafe(services) as typeof context
    }),
  )
  return { store, calls }
}
