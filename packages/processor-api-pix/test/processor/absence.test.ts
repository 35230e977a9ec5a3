import { ProcessorUnavailable } from "@pixcharge/core"
import { anOrder, aRefundId, registeredPending } from "@pixcharge/adapter-tests/fixtures"
import { standardProfile } from "@pixcharge/processor-api-pix"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { bareAbsences, type BankAnswer, chargeAnswer, openAnsweringBank } from "../bank/answeringBank.ts"
import { company } from "../bank/openBank.ts"

const problem = (status: number): BankAnswer => [status, { type: "about:blank", title: "não", status }]
const noUse = { reconcile: () => Promise.resolve(), pixKey: company.pixKey, mountedAt: "https://shop.invalid" }

const registered = Effect.gen(function* () {
  const order = yield* anOrder(company)
  const { processor } = yield* openAnsweringBank((call) =>
    call.startsWith("PUT") ? [201, chargeAnswer(order.txid)] : problem(404),
  )
  return { order, charge: registeredPending(order, yield* processor.register(order)) }
})

const refundOrder = {
  issuer: company.cnpj,
  amountCents: 1990 as never,
  endToEndId: "E".padEnd(32, "1"),
  refundId: aRefundId({ endToEndId: "E".padEnd(32, "1") }),
}

describe.each(bareAbsences)("a bank that answers look-ups with %s", (_, bare) => {
  it.live("gets a new charge, and a later look-up of it is unknown", () =>
    Effect.gen(function* () {
      const order = yield* anOrder(company)
      const { processor, calls } = yield* openAnsweringBank((call) =>
        call.startsWith("PUT") ? [201, chargeAnswer(order.txid)] : bare,
      )
      const made = yield* processor.register(order)
      expect(made.txid).toBe(order.txid)
      expect(calls).toEqual([`GET /cob/${order.txid}`, `PUT /cob/${order.txid}`])
      const view = yield* processor.lookup(registeredPending(order, made))
      expect(view).toEqual({ status: "unknown", payments: [], returns: [] })
    }),
  )

  it.live("has no refund under the id that was looked up", () =>
    Effect.gen(function* () {
      const { processor } = yield* openAnsweringBank(() => bare)
      expect(yield* processor.lookupRefund(refundOrder)).toBeUndefined()
      const refusing = yield* openAnsweringBank((call) => (call.startsWith("PUT") ? problem(400) : bare))
      expect(yield* refusing.processor.refund(refundOrder)).toMatchObject({ _tag: "Rejected" })
      const conflicting = yield* openAnsweringBank((call) => (call.startsWith("PUT") ? problem(409) : bare))
      expect(yield* conflicting.processor.refund(refundOrder)).toEqual({ _tag: "Processing" })
    }),
  )

  it.live("has no webhook to replace", () =>
    Effect.gen(function* () {
      const { bank, calls } = yield* openAnsweringBank((call) => (call.startsWith("PUT") ? problem(400) : bare))
      const refusal = yield* Effect.promise(() => bank.registerWebhook(company.cnpj, noUse).catch((error) => error))
      expect(refusal).toMatchObject({ _tag: "ProcessorRejected", status: 400 })
      expect(calls.map((call) => call.split(" ")[0])).toEqual(["PUT", "GET"])
    }),
  )

  it.live("can be behind a proxy, so the charge isn't cancelled", () =>
    Effect.gen(function* () {
      const { charge } = yield* registered
      const { processor } = yield* openAnsweringBank((call) => (call.startsWith("PATCH") ? problem(400) : bare))
      expect(yield* Effect.flip(processor.cancel(charge))).toMatchObject({ _tag: "ProcessorUnavailable" })
    }),
  )

  it.live("can be behind a proxy, so a change isn't rejected", () =>
    Effect.gen(function* () {
      const { order } = yield* registered
      for (const putOnExisting of ["alters", "refuses"] as const) {
        const { processor } = yield* openAnsweringBank(
          (call) => (call.startsWith("PUT") ? problem(400) : bare),
          undefined,
          { profile: { ...standardProfile, putOnExisting } },
        )
        const failure = yield* Effect.flip(processor.change(order))
        expect(failure).toMatchObject({ _tag: "ProcessorUnavailable" })
      }
    }),
  )

  it.live("can be behind a proxy, and the diagnosis says so", () =>
    Effect.gen(function* () {
      const { bank } = yield* openAnsweringBank(() => bare)
      const findings = yield* Effect.promise(async () => (await bank.processor.diagnose?.({})) ?? [])
      const message = expect.stringContaining("check baseUrl")
      expect(findings).toContainEqual({ check: `bank of ${company.cnpj}`, status: "skipped", message })
    }),
  )
})

describe("a bank that answers the removal of a charge with 404", () => {
  it.live("keeps a charge that a look-up still shows", () =>
    Effect.gen(function* () {
      const { charge } = yield* registered
      const { processor } = yield* openAnsweringBank((call) =>
        call.startsWith("PATCH") ? problem(404) : [200, chargeAnswer(charge.txid)],
      )
      expect(yield* Effect.flip(processor.cancel(charge))).toMatchObject({ _tag: "ProcessorRejected", status: 404 })
    }),
  )

  it.live("has no charge to cancel if a look-up also returns 404", () =>
    Effect.gen(function* () {
      const { charge } = yield* registered
      const { processor } = yield* openAnsweringBank(() => problem(404))
      expect(yield* processor.cancel(charge)).toEqual({ _tag: "Cancelled" })
    }),
  )
})

describe.each(bareAbsences)("%s as the answer to a change or a list", (_, bare) => {
  it.live("counts as no answer", () =>
    Effect.gen(function* () {
      const { order, charge } = yield* registered
      const { processor } = yield* openAnsweringBank(() => bare)
      const isUnavailable = (failure: unknown) => expect(failure).toBeInstanceOf(ProcessorUnavailable)
      isUnavailable(yield* Effect.flip(processor.register(order)))
      isUnavailable(yield* Effect.flip(processor.cancel(charge)))
      isUnavailable(yield* Effect.flip(processor.refund(refundOrder)))
      isUnavailable(yield* Effect.flip(processor.payments(company.cnpj, { from: 0, until: Date.now() })))
    }),
  )
})
