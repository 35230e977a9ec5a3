import type { ChargeOrder } from "@pixcharge/core"
import type { Cents } from "@pixcharge/core/money"
import { pspProfiles, standardProfile } from "@pixcharge/processor-api-pix"
import { anOrder, aPayer, registeredPending } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import type { BankWays, SimulatedBank } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect } from "vitest"
import { anotherProcessor, company, impatientProcessor, openBank } from "../bank/openBank.ts"
import { saying } from "../saying.ts"

const bookedCharge = (psp: SimulatedBank, { txid }: ChargeOrder) => psp.ledger.charges.get(`${company.cnpj}/${txid}`)

const callsOf = ({ exchanges }: SimulatedBank) =>
  exchanges.filter(({ path }) => path !== "/oauth/token").map(({ method }) => method)

const isPatch = ({ method }: { readonly method: string }) => method === "PATCH"
const isWrite = ({ method }: { readonly method: string }) => method === "PATCH" || method === "PUT"

type PutOnExisting = BankWays["putOnExisting"]

const openWith = (putOnExisting: PutOnExisting, ways: Partial<BankWays> = {}) =>
  openBank({ ways: { ...ways, putOnExisting } }, { profile: { ...standardProfile, putOnExisting } })

const opened = Effect.fnUntraced(function* (
  putOnExisting: PutOnExisting,
  given: Parameters<typeof anOrder>[1] = {},
  ways: Partial<BankWays> = {},
) {
  const { psp, processor } = yield* openWith(putOnExisting, ways)
  const order = yield* anOrder(company, given)
  const first = yield* processor.register(order)
  const before = psp.exchanges.length
  const calls = () => callsOf({ ...psp, exchanges: psp.exchanges.slice(before) })
  return { psp, processor, order, first, calls, charge: registeredPending(order, first) }
})

const dearer = <Order extends ChargeOrder>(order: Order) => ({ ...order, amountCents: 2500 as Cents })

/** Refuses a `PATCH`, or every change, by the bank's contract. */
const refusing = (refused: (call: { readonly method: string }) => boolean): Pick<BankWays, "refusesRequest"> => {
  let isOpen = true
  return {
    refusesRequest: ({ method }) => {
      // The first PUT makes the charge.
      if (method === "PUT" && isOpen) {
        isOpen = false
        return undefined
      }
      return refused({ method })
        ? { status: 422, body: { title: "no", detail: `a ${method} isn't for us` } }
        : undefined
    },
  }
}

for (const putOnExisting of ["alters", "refuses"] as const) {
  describe(`a change at a bank that ${putOnExisting} a charge on a second PUT`, () => {
    it.live("is a PATCH of all terms, and gives the bank's code and count", () =>
      Effect.gen(function* () {
        for (const dueInDays of [undefined, 2]) {
          const { psp, processor, order, first, calls, charge } = yield* opened(
            putOnExisting,
            dueInDays === undefined ? {} : { dueInDays },
          )
          const changed = dearer({ ...order, payer: aPayer, messageToPayer: "Pedido 7" })
          expect(yield* processor.change(changed)).toEqual({ brCode: first.brCode, revision: 1 })
          expect(calls()).toEqual(["GET", "PATCH"])
          expect(bookedCharge(psp, order)?.terms.body).toMatchObject({
            valor: { original: "25.00" },
            devedor: { cpf: aPayer.taxId },
            solicitacaoPagador: "Pedido 7",
          })
          expect((yield* processor.lookup(charge)).terms).toMatchObject({ amountCents: 2500, revision: 1 })
        }
      }),
    )

    it.live("is sent even if the bank shows the same terms already", () =>
      Effect.gen(function* () {
        const { processor, order, calls } = yield* opened(putOnExisting)
        for (const revision of [1, 2]) expect(yield* processor.change(order)).toMatchObject({ revision })
        expect(calls()).toEqual(["GET", "PATCH", "GET", "PATCH"])
      }),
    )

    it.live("is rejected with the reason of the refused PATCH", () =>
      Effect.gen(function* () {
        const { psp, processor, order } = yield* opened(putOnExisting, {}, refusing(isWrite))
        expect(yield* Effect.flip(processor.change(dearer(order)))).toMatchObject({
          _tag: "ProcessorRejected",
          operation: "change",
          status: 422,
          reason: saying("a PATCH isn't for us"),
        })
        expect(bookedCharge(psp, order)).toMatchObject({ revision: 0, terms: { amountCents: 1990 } })
      }),
    )

    it.live("is rejected if only terms change that the bank doesn't show", () =>
      Effect.gen(function* () {
        const { processor, order } = yield* opened(putOnExisting, { dueInDays: 2 }, refusing(isWrite))
        const moved = { ...order, payer: { ...aPayer, email: "joana@example.com" } }
        expect((yield* Effect.flip(processor.change(moved)))._tag).toBe("ProcessorRejected")
      }),
    )

    it.live("is refused without a call to a paid or removed charge", () =>
      Effect.gen(function* () {
        for (const end of ["pay", "remove"] as const) {
          const { psp, processor, order, calls } = yield* opened(putOnExisting)
          psp[end](company.cnpj, order.txid)
          expect(yield* Effect.flip(processor.change(dearer(order)))).toMatchObject({
            _tag: "ProcessorRejected",
            reason: saying("the charge was paid or removed"),
          })
          expect(calls()).toEqual(["GET"])
        }
      }),
    )

    it.live("never makes a charge that the bank doesn't have, or of the other kind", () =>
      Effect.gen(function* () {
        const { psp, processor } = yield* openWith(putOnExisting)
        const absent = yield* anOrder(company)
        const dated = yield* anOrder(company, { dueInDays: 1 })
        const { dueDate: _, payer: __, ...immediate } = dated
        yield* processor.register(immediate)
        const before = psp.exchanges.length
        for (const order of [absent, dated]) {
          expect(yield* Effect.flip(processor.change(order))).toMatchObject({
            _tag: "ProcessorRejected",
            reason: saying("the bank doesn't have the charge"),
          })
        }
        expect(psp.exchanges.slice(before).some(isWrite)).toBe(false)
      }),
    )

    for (const fault of [
      { _tag: "AnswerLost" },
      { _tag: "HangsAfter" },
      { _tag: "Status", status: 504, applied: true },
    ] as const) {
      it.live(`succeeds although its answer is lost (${fault._tag}), if a look-up shows its terms`, () =>
        Effect.gen(function* () {
          const { psp, processor, order } = yield* opened(putOnExisting, { dueInDays: 2 })
          const caller = fault._tag === "HangsAfter" ? yield* impatientProcessor(psp) : processor
          const end = psp.faults.add(fault, isPatch)
          expect((yield* caller.change(dearer(order))).revision).toBeGreaterThan(0)
          // A look-up can't show this change.
          const hidden = { ...dearer(order), payer: { ...aPayer, email: "joana@example.com" } }
          expect((yield* Effect.flip(caller.change(hidden)))._tag).toBe("ProcessorUnavailable")
          end()
          yield* processor.change(hidden)
          expect(bookedCharge(psp, order)?.terms).toMatchObject({
            amountCents: 2500,
            body: { devedor: { email: "joana@example.com" } },
          })
        }),
      )
    }

    it.live("isn't carried out if its request is lost", () =>
      Effect.gen(function* () {
        const { psp, processor, order } = yield* opened(putOnExisting)
        const end = psp.faults.add({ _tag: "RequestLost" }, isPatch)
        expect((yield* Effect.flip(processor.change(dearer(order))))._tag).toBe("ProcessorUnavailable")
        expect(bookedCharge(psp, order)).toMatchObject({ revision: 0, terms: { amountCents: 1990 } })
        end()
        expect(yield* processor.change(dearer(order))).toMatchObject({ revision: 1 })
      }),
    )

    it.live("waits for another order of the same charge", () =>
      Effect.gen(function* () {
        const { psp, processor, order } = yield* opened(putOnExisting)
        const { arrived, release } = psp.faults.hold(isPatch)
        const first = yield* Effect.forkChild(processor.change(dearer(order)))
        yield* Effect.promise(() => arrived)
        const others = yield* Effect.forkChild(
          Effect.all(
            [processor.change({ ...order, amountCents: 3000 as Cents }), Effect.result(processor.register(order))],
            {
              concurrency: "unbounded",
            },
          ),
        )
        const before = psp.exchanges.length
        // An order that didn't wait would have called the bank by now.
        yield* (yield* anotherProcessor(psp)).lookup(registeredPending(order, { brCode: "", ...order, createdAt: 0 }))
        expect(callsOf({ ...psp, exchanges: psp.exchanges.slice(before) })).toEqual(["GET"])
        release()
        yield* Fiber.join(first)
        const [, registered] = yield* Fiber.join(others)
        expect(registered).toMatchObject({ failure: { _tag: "ChargeConflict" } })
        expect(bookedCharge(psp, order)).toMatchObject({ revision: 2, terms: { amountCents: 3000 } })
      }),
    )
  })
}

describe("a field that the order doesn't have", () => {
  const withPayer = { payer: aPayer, messageToPayer: "Pedido 7" }
  const withoutPayer = ({ payer: _, messageToPayer: __, ...order }: ChargeOrder): ChargeOrder => order

  it.live("is removed by a PUT, at a bank whose PUT alters charges", () =>
    Effect.gen(function* () {
      const { psp, processor, order, calls } = yield* opened("alters", withPayer)
      expect(yield* processor.change(withoutPayer(order))).toMatchObject({ revision: 2 })
      expect(calls()).toEqual(["GET", "PATCH", "GET", "PUT"])
      expect(Object.keys(bookedCharge(psp, order)?.terms.body ?? {}).toSorted()).toEqual([
        "calendario",
        "chave",
        "valor",
      ])
    }),
  )

  it.live("is a rejection if it is a payer, and the bank keeps it", () =>
    Effect.gen(function* () {
      const { processor, order, calls } = yield* opened("refuses", withPayer)
      expect(yield* Effect.flip(processor.change(withoutPayer(order)))).toMatchObject({
        _tag: "ProcessorRejected",
        reason: saying("the bank keeps other terms"),
      })
      expect(calls()).toEqual(["GET", "PATCH", "GET"])
    }),
  )

  it.live("can stay if it is a text, which banks also rewrite (decision 48)", () =>
    Effect.gen(function* () {
      const { processor, order, calls } = yield* opened("refuses", { messageToPayer: "Pedido 7" })
      expect(yield* processor.change(withoutPayer(order))).toMatchObject({ revision: 1 })
      expect(calls()).toEqual(["GET", "PATCH"])
      const rewriting = yield* opened(
        "alters",
        {},
        refusing(({ method }) => method === "PUT"),
      )
      const reshape: BankWays["reshape"] = (answer) => ({
        ...answer,
        body: { ...Object(answer.body), solicitacaoPagador: "COBRANCA DA LOJA" },
      })
      rewriting.psp.ways.reshape = reshape
      const changed = dearer({ ...rewriting.order, messageToPayer: "Pedido 7" })
      expect(yield* rewriting.processor.change(changed)).toMatchObject({ revision: 1 })
    }),
  )
})

it.live("a look-up of an earlier revision has its terms, unless the bank doesn't keep them", () =>
  Effect.gen(function* () {
    const { processor, order, charge } = yield* opened("refuses")
    yield* processor.change(dearer(order))
    const before = (yield* processor.lookup(charge, 0)).terms
    expect(before).toMatchObject({ amountCents: order.amountCents, revision: 0 })
    expect(yield* processor.lookup(charge, 7)).toEqual({ status: "unknown", payments: [], returns: [] })
  }),
)

it.live("a look-up of an earlier revision has an answer only if the bank accepts the credentials", () =>
  Effect.gen(function* () {
    const { psp, processor, charge } = yield* opened("refuses")
    for (const [status, answer] of [
      [400, "unknown"],
      [401, "ProcessorUnavailable of lookup"],
      [403, "ProcessorUnavailable of lookup"],
      [404, "unknown"],
      [410, "unknown"],
      [422, "unknown"],
    ] as const) {
      psp.ways.refusesRequest = () => ({ status, body: { title: "no", detail: "not with us" } })
      const found = Effect.match(processor.lookup(charge, 0), {
        onSuccess: ({ status: shown }) => shown,
        onFailure: ({ _tag, operation }) => `${_tag} of ${operation}`,
      })
      expect([status, yield* found]).toEqual([status, answer])
    }
  }),
)

it.live("a 429 to a change says when to repeat it", () =>
  Effect.gen(function* () {
    const { psp, processor, order } = yield* opened("refuses")
    psp.faults.add({ _tag: "Status", status: 429, retryAfter: "1" }, isPatch)
    expect(yield* Effect.flip(processor.change(dearer(order)))).toMatchObject({
      _tag: "ProcessorUnavailable",
      retryAfterMs: 1_000,
    })
  }),
)

it.live("a change by PUT serves a bank that has no PATCH", () =>
  Effect.gen(function* () {
    const { psp, processor, order, first, calls } = yield* opened("alters", {}, refusing(isPatch))
    expect(yield* processor.change(dearer(order))).toEqual({ brCode: first.brCode, revision: 1 })
    expect(calls()).toEqual(["GET", "PATCH", "GET", "PUT"])
    expect(bookedCharge(psp, order)?.terms.amountCents).toBe(2500)
  }),
)

it.live("a bank that can't change charges says so, without a call", () =>
  Effect.gen(function* () {
    const { psp, processor } = yield* openBank({}, { profile: { ...standardProfile, changes: "missing" } })
    expect(yield* processor.changes(company.cnpj)).toBe("missing")
    expect(yield* Effect.flip(processor.change(yield* anOrder(company)))).toMatchObject({
      _tag: "ProcessorRejected",
      reason: saying("this bank can't change a charge"),
    })
    expect(psp.exchanges).toEqual([])
    for (const { changes } of Object.values(pspProfiles)) expect(changes).toBe("offered")
  }),
)

it.live("a change without a payer is rejected for a due-date charge", () =>
  Effect.gen(function* () {
    const { processor, order, calls } = yield* opened("alters", { dueInDays: 2 })
    const { payer: _, ...unaddressed } = order
    expect(yield* Effect.flip(processor.change(unaddressed))).toMatchObject({
      _tag: "ProcessorRejected",
      operation: "change",
      reason: saying("generic"),
    })
    expect(calls()).toEqual(["GET"])
  }),
)
