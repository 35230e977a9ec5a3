import { ChargeLists, ChargeStore, type StorePorts } from "@pixcharge/core"
import type { Pix } from "@pixcharge/embed"
import type { SimulatedBank } from "@pixcharge/simulated-bank"
import { memoryStore } from "@pixcharge/store-memory"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { randomUUID } from "node:crypto"
import { describe, expect, onTestFinished, vi } from "vitest"
import { makeBankGate, makeNoticeGate, noticeBudget } from "../src/client/BankGate.ts"
import { Pace, type Turn } from "../src/client/Pace.ts"
import { company, otherCompany } from "./bank/openBank.ts"
import { holdAnswerTime, noticeUrl, openShop } from "./bank/openShop.ts"

const notify = (pix: Pix, endToEndIds: ReadonlyArray<string>, at = noticeUrl(company)): Promise<Response> =>
  pix.fetch(
    new Request(`https://shop.invalid${at}`, {
      method: "POST",
      body: JSON.stringify({ pix: endToEndIds.map((endToEndId) => ({ endToEndId })) }),
    }),
  )

const forged = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, n) => `E${String(n).padStart(31, "0")}`)

const issue = (pix: Pix) => pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1990 })

const lookups = ({ exchanges }: SimulatedBank): number =>
  exchanges.filter(({ method, path }) => method === "GET" && path.startsWith("/pix/")).length

const isLookup = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  method === "GET" && path.startsWith("/pix/")

/** Stops the time that refills budgets and limits answers, because a busy machine would exceed both. */
const stopTime = () => {
  vi.useFakeTimers({ toFake: ["Date"] })
  onTestFinished(() => void vi.useRealTimers())
  holdAnswerTime()
}

describe("the look-ups of a thousand claims in one call", () => {
  it.live("stay within the budget, leave the other claims for a repeated notice, and don't delay issuing", () =>
    Effect.gen(function* () {
      stopTime()
      const { pix, psp } = yield* openShop()
      const held = psp.faults.hold(isLookup)
      const logged = vi.spyOn(console, "log").mockReturnValue()
      const flood = notify(pix, forged(1_000))
      yield* Effect.promise(() => held.arrived)
      expect((yield* Effect.promise(() => issue(pix)))._tag).toBe("Pending")
      held.release()
      const answer = yield* Effect.promise(() => flood)
      expect([answer.status, Number(answer.headers.get("retry-after"))]).toEqual([503, 30])
      // One of the budget's calls was for the token.
      expect(lookups(psp)).toBe(noticeBudget.max - 1)
      // Once the budget is spent, the remaining claims reach neither the store nor the log.
      const warnings = logged.mock.calls.filter((line) => line.join(" ").includes("A notice could not be recorded"))
      expect(warnings.length).toBeLessThanOrEqual(5)
      logged.mockRestore()
    }),
  )

  it.live("don't use other companies' budgets, and the reconciler finds a payment that wasn't looked up", () =>
    Effect.gen(function* () {
      stopTime()
      const { pix, psp } = yield* openShop()
      const paid = yield* Effect.promise(() => issue(pix))
      yield* Effect.promise(() => notify(pix, forged(1_000)))
      const { endToEndId } = psp.pay(company.cnpj, paid.txid)
      const theirs = Array.from({ length: 50 }, () => psp.payToKey(otherCompany.pixKey, 700).endToEndId)
      const other = yield* Effect.promise(() => notify(pix, theirs, noticeUrl(otherCompany)))
      expect(other.status).toBe(200)
      expect((yield* Effect.promise(() => notify(pix, [...forged(200), endToEndId]))).status).toBe(503)
      expect((yield* Effect.promise(() => pix.find(company.cnpj, paid.id)))._tag).toBe("Pending")
      yield* Effect.promise(() =>
        pix.reconcile(company.cnpj, { from: Date.now() - 60_000, until: Date.now() + 60_000 }),
      )
      expect((yield* Effect.promise(() => pix.find(company.cnpj, paid.id)))._tag).toBe("Paid")
    }),
  )
})

describe("a failed look-up of a notice", () => {
  for (const [title, fault] of [
    ["a 429 with a long pause", { _tag: "Status", status: 429, retryAfter: "600" }],
    ["a 500", { _tag: "Status", status: 500 }],
  ] as const) {
    it.live(`doesn't delay issues, refunds or reconciliations if the bank answers ${title}`, () =>
      Effect.gen(function* () {
        const { pix, psp } = yield* openShop()
        const paid = yield* Effect.promise(() => issue(pix))
        psp.pay(company.cnpj, paid.txid)
        psp.faults.add(fault, isLookup)
        for (let round = 0; round < 3; round++) {
          expect((yield* Effect.promise(() => notify(pix, forged(20)))).status).toBe(503)
        }
        const period = { from: Date.now() - 60_000, until: Date.now() + 60_000 }
        expect((yield* Effect.promise(() => pix.reconcile(company.cnpj, period))).payments).toBe(1)
        expect((yield* Effect.promise(() => issue(pix)))._tag).toBe("Pending")
        expect((yield* Effect.promise(() => pix.refund(company.cnpj, paid.id)))._tag).toBe("Refunding")
      }),
    )
  }

  it.live("ends the look-ups of its notice, and prevents those of later notices until the pause is over", () =>
    Effect.gen(function* () {
      const { pix, psp } = yield* openShop()
      let lookupCount = 0
      const isCounted = (call: { readonly method: string; readonly path: string }): boolean => {
        lookupCount += isLookup(call) ? 1 : 0
        return isLookup(call)
      }
      psp.faults.add({ _tag: "Status", status: 429, retryAfter: "600" }, isCounted)
      for (let round = 0; round < 3; round++) yield* Effect.promise(() => notify(pix, forged(100)))
      // These are the calls that were under way before the first answer.
      expect(lookupCount).toBeLessThanOrEqual(8)
    }),
  )

  it.live("doesn't delay issues if the request for its token fails", () =>
    Effect.gen(function* () {
      const { pix, psp } = yield* openShop()
      const end = psp.faults.add({ _tag: "Status", status: 429, retryAfter: "600" }, () => true)
      expect((yield* Effect.promise(() => notify(pix, forged(1)))).status).toBe(503)
      end()
      expect((yield* Effect.promise(() => issue(pix)))._tag).toBe("Pending")
    }),
  )
})

const notedStore = (calls: Array<string>): Layer.Layer<StorePorts> =>
  Layer.effectContext(
    Effect.map(Layer.build(memoryStore({ inProduction: true })), (store) => {
      const noted = <S extends object>(service: S): S =>
        new Proxy(service, {
          get: (target, name: keyof S & string) => {
            const method = target[name]
            if (typeof method !== "function") return method
            return (...values: ReadonlyArray<unknown>) => {
              calls.push(name)
              return method(...values)
            }
          },
        })
      return store.pipe(
        Context.add(ChargeStore, noted(Context.get(store, ChargeStore))),
        Context.add(ChargeLists, noted(Context.get(store, ChargeLists))),
      )
    }),
  )

it.live("a notice of one payment reads its charge once, and commits once", () =>
  Effect.gen(function* () {
    const calls: Array<string> = []
    const { pix, psp } = yield* openShop({ store: notedStore(calls) })
    const charge = yield* Effect.promise(() => issue(pix))
    const { endToEndId, txid } = psp.pay(company.cnpj, charge.txid, { paidAt: charge.createdAt + 5_000 })
    calls.length = 0
    const sent = new Request(`https://shop.invalid${noticeUrl(company)}`, {
      method: "POST",
      body: JSON.stringify({ pix: [{ endToEndId, txid }] }),
    })
    expect((yield* Effect.promise(() => pix.fetch(sent))).status).toBe(200)
    expect(calls).toEqual(["find", "commit"])
  }),
)

const nothing = Effect.void
const anyPace = new Pace({ limits: [] })
const turn: Turn = { urgency: "notice", call: "GET payment", maxWaitMs: 0 }

describe("the gate of a company's look-ups", () => {
  it.effect("lets a hundred calls through at once and then ten a second, but never more than a hundred at once", () =>
    Effect.gen(function* () {
      const gate = makeNoticeGate(anyPace)
      const passed = Effect.gen(function* () {
        let count = 0
        while ((yield* Effect.result(gate.pass(turn, nothing)))._tag === "Success") count += 1
        return count
      })
      expect(yield* passed).toBe(100)
      expect(yield* Effect.flip(gate.pass(turn, nothing))).toMatchObject({ cause: "budgetSpent", retryAfterMs: 100 })
      yield* TestClock.adjust(1_000)
      expect(yield* passed).toBe(10)
      yield* TestClock.adjust("1 day")
      expect(yield* passed).toBe(100)
    }),
  )

  it.effect("keeps its budget if the clock is set back", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const gate = makeNoticeGate(anyPace)
      yield* gate.pass(turn, nothing)
      yield* TestClock.setTime(0)
      for (let n = 1; n < 100; n++) yield* gate.pass(turn, nothing)
      expect((yield* Effect.flip(gate.pass(turn, nothing))).cause).toBe("budgetSpent")
    }),
  )

  it.effect("has at most eight calls under way, but the gate of other calls has more", () =>
    Effect.gen(function* () {
      for (const [gate, maxUnderWay] of [
        [makeNoticeGate(anyPace), 8],
        [makeBankGate(anyPace), 20],
      ] as const) {
        let underWay = 0
        const hanging = Effect.andThen(
          Effect.sync(() => void (underWay += 1)),
          Effect.never,
        )
        const calls = yield* Effect.forEach(Array.from({ length: 20 }), () =>
          Effect.forkChild(gate.pass(turn, hanging), { startImmediately: true }),
        )
        expect(underWay).toBe(maxUnderWay)
        yield* Effect.forEach(calls, Fiber.interrupt)
      }
    }),
  )
})
