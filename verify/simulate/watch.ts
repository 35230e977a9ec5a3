import { CallbackEndpoints, PaymentProcessor } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Endpoint } from "@pixcharge/core/directory"
import type { Ask, Word } from "./judge/Evidence.ts"
import type { Actor } from "./World.ts"
import type { Directory } from "./Host.ts"

type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, { readonly _tag: string }>

export const watchProcessor = <E>(
  processor: Layer.Layer<PaymentProcessor, E>,
  actor: Pick<Actor, "name" | "skewMs">,
  now: () => number,
  judge: { readonly begin: (ask: Ask) => void; readonly end: (call: Word) => void },
): Layer.Layer<PaymentProcessor, E> => {
  const open = new Set<{ readonly refund: string; isAlone: boolean }>()
  const watchMethod =
    (method: string, called: Method): Method =>
    (...args) =>
      Effect.suspend(() => {
        const requestedAt = now()
        const ask: Ask = { caller: actor.name, method, args, requestedAt, clockAt: requestedAt + actor.skewMs }
        const refund = method === "refund" ? JSON.stringify(args) : ""
        const call = { refund, isAlone: true }
        for (const other of open) if (refund !== "" && other.refund === refund) other.isAlone = call.isAlone = false
        if (refund !== "") open.add(call)
        judge.begin(ask)
        const tell = (word: Pick<Word, "answer" | "failure">) =>
          Effect.sync(() => judge.end({ ...ask, isAlone: call.isAlone, ...word }))
        return called(...args).pipe(
          Effect.tap((answer) => tell({ answer })),
          Effect.tapError(({ _tag }) => tell({ answer: undefined, failure: _tag })),
          Effect.onInterrupt(() => tell({ answer: undefined, failure: "given up" })),
          Effect.ensuring(Effect.sync(() => open.delete(call))),
        )
      })
  return Layer.effect(
    PaymentProcessor,
    Effect.map(Layer.build(processor), (context) => {
      const service = Context.get(context, PaymentProcessor)
      const members = Object.entries(service).map(([name, member]) => [
        name,
        typeof member === "function" ? watchMethod(name, member as Method) : member,
      ])
      return Object.fromEntries(members) as PaymentProcessor["Service"]
    }),
  )
}

/** The directory, which tells of each change of an endpoint's status. */
export const watchEndpoints = (
  directory: Directory,
  onStatus: (id: string, status: Endpoint["status"]) => void,
): Directory => {
  const endpoints = Context.get(directory, CallbackEndpoints)
  const setStatus: (typeof endpoints)["setStatus"] = (id, status) =>
    Effect.tap(endpoints.setStatus(id, status), () => Effect.sync(() => onStatus(id, status)))
  return Context.add(directory, CallbackEndpoints, { ...endpoints, setStatus })
}
