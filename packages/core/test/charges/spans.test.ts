import { PixCharges } from "@pixcharge/core"
import { aCnpj, aNotice, cents } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import { expect } from "vitest"
import { anIssuedCharge, aRequest, scenario } from "../World.ts"

scenario("each call is a span with its operation and company, if the caller has a tracer", () =>
  Effect.gen(function* () {
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      },
    })
    const paid = yield* anIssuedCharge()
    const cancelled = yield* anIssuedCharge()
    expect(spans).toEqual([])
    const request = aRequest()
    yield* Effect.gen(function* () {
      const charges = yield* PixCharges
      yield* charges.issue(aCnpj, request)
      yield* charges.find(aCnpj, paid.id)
      yield* charges.cancel(aCnpj, cancelled.id)
      yield* charges.confirmPayment(aNotice(paid))
      yield* charges.refundPart(aCnpj, paid.id, { key: "a", amountCents: cents(500) })
      yield* Effect.ignore(charges.refund(aCnpj, paid.id))
    }).pipe(Effect.withTracer(tracer))
    const ofCharges = spans.filter(({ name }) => name.startsWith("pix.charge."))
    expect(ofCharges.map(({ name, attributes }) => [name, Object.fromEntries(attributes)])).toEqual([
      ["pix.charge.issue", { issuer: aCnpj, "charge.id": request.id }],
      ["pix.charge.find", { issuer: aCnpj, "charge.id": paid.id }],
      ["pix.charge.cancel", { issuer: aCnpj, "charge.id": cancelled.id }],
      ["pix.charge.confirmPayment", { issuer: aCnpj }],
      ["pix.charge.refundPart", { issuer: aCnpj, "charge.id": paid.id }],
      ["pix.charge.refund", { issuer: aCnpj, "charge.id": paid.id }],
    ])
  }),
)
