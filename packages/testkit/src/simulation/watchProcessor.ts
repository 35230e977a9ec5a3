import { PaymentProcessor } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown>

/** A call of a processor that was answered, and when it was made: epoch milliseconds. */
export interface ProcessorCall {
  readonly method: string
  readonly args: ReadonlyArray<unknown>
  readonly answer: unknown
  readonly askedAt: number
}

/** The same processor, each of whose answers is told. */
export const watchProcessor = <E>(
  processor: Layer.Layer<PaymentProcessor, E>,
  now: () => number,
  onAnswer: (call: ProcessorCall) => void,
): Layer.Layer<PaymentProcessor, E> => {
  const watched =
    (method: string, called: Method): Method =>
    (...args) =>
      Effect.suspend(() => {
        const askedAt = now()
        return Effect.tap(called(...args), (answer) => Effect.sync(() => onAnswer({ method, args, answer, askedAt })))
      })
  return Layer.effect(
    PaymentProcessor,
    Effect.map(Layer.build(processor), (context) => {
      const service = Context.get(context, PaymentProcessor)
      const members = Object.entries(service).map(([name, member]) => [
        name,
        typeof member === "function" ? watched(name, member as Method) : member,
      ])
      return Object.fromEntries(members) as PaymentProcessor["Service"]
    }),
  )
}
