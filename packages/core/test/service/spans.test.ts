import { OutboxSignal, PixCharges } from "@pixcharge/core"
import { aCnpj, aNotice } from "@pixcharge/testkit/fixtures"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Tracer from "effect/Tracer"
import { expect } from "vitest"
import { anIssuedCharge, aRequest, scenario } from "./World.ts"

scenario("each call is a span with the name of what it does, where there is a tracer", () =>
  Effect.gen(function* () {
    const names: Array<string> = []
    const tracer = Tracer.make({
      span: (options) => {
        names.push(options.name)
        return new Tracer.NativeSpan(options)
      },
    })
    const paid = yield* anIssuedCharge()
    const cancelled = yield* anIssuedCharge()
    expect(names).toEqual([])
    yield* Effect.gen(function* () {
      const charges = yield* PixCharges
      yield* charges.issue(aCnpj, aRequest())
      yield* charges.find(aCnpj, paid.id)
      yield* charges.cancel(aCnpj, cancelled.id)
      yield* charges.confirmPayment(aNotice(paid))
      yield* charges.refund(aCnpj, paid.id)
    }).pipe(
      Effect.provide(Layer.provide(Layer.fresh(PixCharges.layer), OutboxSignal.layer)),
      Effect.provideService(Tracer.Tracer, tracer),
    )
    const ofCharges = names.filter((name) => name.startsWith("pix.charge."))
    expect(ofCharges).toEqual([
      "pix.charge.issue",
      "pix.charge.find",
      "pix.charge.cancel",
      "pix.charge.confirmPayment",
      "pix.charge.refund",
    ])
  }),
)
