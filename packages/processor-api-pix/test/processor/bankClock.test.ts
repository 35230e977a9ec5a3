import { PaymentProcessor } from "@pixcharge/core"
import { apiPix, standardProfile } from "@pixcharge/processor-api-pix"
import { anOrder } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, onTestFinished, vi } from "vitest"
import { makeBankClock } from "../../src/client/BankClock.ts"
import { company, connectionTo, openBank } from "../bank/openBank.ts"

const minute = 60_000

describe("a bank whose clock is wrong", () => {
  for (const minutes of [-20, -3, 0, 3, 20]) {
    it.live(`lists a new payment, and gets no period in its future, if its clock is wrong by ${minutes} minutes`, () =>
      Effect.gen(function* () {
        const { psp, processor } = yield* openBank({ now: () => Date.now() + minutes * minute })
        const order = yield* anOrder(company)
        yield* processor.register(order)
        const { endToEndId } = psp.pay(company.cnpj, order.txid)
        const until = Date.now()
        const { items } = yield* processor.payments(company.cnpj, { from: until - 20_000, until })
        expect(items.map((payment) => payment.endToEndId)).toEqual([endToEndId])
        const lists = psp.exchanges.filter(({ path }) => path === "/pix")
        expect(lists.map(({ status }) => status)).toEqual([200])
      }),
    )
  }

  for (const offMs of [-20 * minute, -3 * minute, -4_000, 3 * minute, 20 * minute]) {
    it.live(
      `gets a corrected list call after its first answer to a process if its clock is wrong by ${offMs / 1_000} s`,
      () =>
        Effect.gen(function* () {
          // With a running clock, a slow answer could change the measured difference by more than the tolerance.
          vi.useFakeTimers({ toFake: ["Date"] })
          onTestFinished(() => void vi.useRealTimers())
          const { psp, processor } = yield* openBank({ now: () => Date.now() + offMs })
          const order = yield* anOrder(company)
          yield* processor.register(order)
          const { endToEndId } = psp.pay(company.cnpj, order.txid)
          const connection = yield* Effect.promise(() => connectionTo(psp, company))
          const begun = Context.get(
            yield* Layer.build(apiPix({ companies: { [company.cnpj]: connection } }).processor),
            PaymentProcessor,
          )
          const now = Date.now()
          const { items } = yield* begun.payments(company.cnpj, { from: now - 20_000, until: now + minute })
          expect(items.map((payment) => payment.endToEndId)).toEqual([endToEndId])
          const lists = () => psp.exchanges.filter(({ path }) => path === "/pix").length
          const callsBefore = lists()
          yield* begun.payments(company.cnpj, { from: now - 20_000, until: now + minute })
          expect([callsBefore, lists() - callsBefore]).toEqual([2, 1])
        }),
    )
  }

  it.live("finds the payment of a paid charge in a list if the charge doesn't show it", () =>
    Effect.gen(function* () {
      for (const minutes of [-20, 20]) {
        const ways = { paymentsInCharges: false }
        const { psp, processor } = yield* openBank({ ways, now: () => Date.now() + minutes * minute })
        const order = yield* anOrder(company)
        const { createdAt, brCode } = yield* processor.register(order)
        const { endToEndId } = psp.pay(company.cnpj, order.txid)
        const terms = { issuer: company.cnpj, id: order.id, txid: order.txid, amountCents: order.amountCents, brCode }
        const view = yield* processor.lookup({
          ...terms,
          _tag: "Pending",
          transactionId: order.id,
          createdAt,
          payableUntil: createdAt,
          watchUntil: createdAt,
          version: 1,
          updatedAt: createdAt,
          returns: [],
        })
        expect(view.payments.map((payment) => payment.endToEndId)).toEqual([endToEndId])
      }
    }),
  )

  it.live("gets no list call for a period in its future once it has shown its clock", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank({}, { profile: standardProfile })
      const from = Date.now() + 10 * minute
      const list = () => processor.payments(company.cnpj, { from, until: from + minute })
      expect(yield* list()).toEqual({ items: [] })
      const callsBefore = psp.exchanges.length
      expect(yield* list()).toEqual({ items: [] })
      expect(psp.exchanges.length).toBe(callsBefore)
    }),
  )

  it.live("lists payments that are in the future by our clock", () =>
    Effect.gen(function* () {
      let aheadMs = minute
      const { psp, processor } = yield* openBank({ now: () => Date.now() + aheadMs })
      const { endToEndId, paidAt } = psp.payToKey(company.pixKey, 777)
      aheadMs = 3 * minute
      const { items } = yield* processor.payments(company.cnpj, { from: paidAt - 1_000, until: paidAt + 1_000 })
      expect(items.map((payment) => payment.endToEndId)).toEqual([endToEndId])
    }),
  )
})

describe("the known time of a bank", () => {
  it.effect("comes from the Date header of its last answer, unless that differs more than an hour from our clock", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 10, 22, 12))
      const clock = makeBankClock()
      const seen = []
      for (const date of [
        "Sun, 22 Nov 2026 12:00:00 GMT",
        "Sun, 22 Nov 2026 11:59:57 GMT",
        "Sun, 22 Nov 2026 12:00:05 GMT",
        "Sun, 22 Nov 2026 12:00:06 GMT",
        "Sun, 22 Nov 2026 13:00:00 GMT",
        "Sun, 22 Nov 2026 13:00:01 GMT",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "yesterday",
        "Sun, 22 Nov 2026 11:40:00 GMT",
      ]) {
        yield* clock.learnDate(date)
        seen.push(clock.aheadMs() / 1_000)
      }
      expect(seen).toEqual([0, 0, 0, 6, 3_600, 3_600, 3_600, 3_600, -1_200])
      expect(yield* clock.now).toBe(Date.UTC(2026, 10, 22, 11, 40))
    }),
  )
})
