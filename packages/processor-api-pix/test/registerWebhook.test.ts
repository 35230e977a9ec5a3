import type { Period } from "@pixcharge/core"
import { type SimulatedBank } from "@pixcharge/simulated-bank"
import { it } from "@pixcharge/testkit/suites"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { describe, expect } from "vitest"
import { company } from "./bank/openBank.ts"
import { noticeUrl, openShop } from "./bank/openShop.ts"

const ours = `https://shop.invalid${noticeUrl(company)}`
const other = "https://shop.invalid/an/older/address"

const calls = ({ exchanges }: SimulatedBank): ReadonlyArray<string> =>
  exchanges.filter(({ path }) => path.startsWith("/webhook/")).map(({ method }) => method)

/** Registers at a bank of which a webhook is known already, if one is given. */
const openRegistration = (putOnWebhook: "replaces" | "refuses", known?: string, mountedAt = "https://shop.invalid") =>
  Effect.gen(function* () {
    const shop = yield* openShop({ psp: { ways: { putOnWebhook } } })
    const { psp, bank } = shop
    if (known !== undefined) psp.ledger.webhooks.set(company.pixKey, { url: known, since: Date.now() })
    const periods: Array<readonly [string, Period]> = []
    const register = () =>
      bank.registerWebhook(company.cnpj, {
        pixKey: company.pixKey,
        mountedAt,
        reconcile: async (issuer, period) => {
          periods.push([issuer, period])
          return shop.pix.reconcile(issuer, period)
        },
      })
    return { ...shop, register, periods, registered: () => psp.ledger.webhooks.get(company.pixKey)?.url }
  })

describe("a webhook is registered", () => {
  it.live("by one call where the bank takes another in its place", () =>
    Effect.gen(function* () {
      const { psp, register, registered, periods } = yield* openRegistration("replaces", other)
      yield* Effect.promise(register)
      expect([registered(), calls(psp), periods]).toEqual([ours, ["PUT"], []])
    }),
  )

  it.live("at every start, also where the bank refuses what it has already", () =>
    Effect.gen(function* () {
      const { psp, register: start, registered, periods } = yield* openRegistration("refuses")
      yield* Effect.promise(start)
      yield* Effect.promise(start)
      expect([registered(), calls(psp), periods]).toEqual([ours, ["PUT", "PUT", "GET"], []])
    }),
  )

  it.live("in place of another that the bank keeps, and what was paid meanwhile is looked for", () =>
    Effect.gen(function* () {
      const { psp, pix, register: start, registered, periods } = yield* openRegistration("refuses", other)
      const { id, txid } = yield* Effect.promise(() => pix.issue(company.cnpj, { id: randomUUID(), amountCents: 500 }))
      const removal = psp.faults.hold(({ method }) => method === "DELETE")
      const started = start()
      yield* Effect.promise(() => removal.arrived)
      const before = Date.now()
      psp.pay(company.cnpj, txid)
      removal.release()
      yield* Effect.promise(() => started)
      expect([registered(), calls(psp)]).toEqual([ours, ["PUT", "GET", "DELETE", "PUT"]])
      expect(periods).toEqual([[company.cnpj, { from: expect.any(Number), until: expect.any(Number) }]])
      const [[, { from, until }]] = periods as [readonly [string, Period]]
      expect(from).toBeLessThan(before)
      expect(until).toBeGreaterThan(before)
      expect((yield* Effect.promise(() => pix.find(company.cnpj, id)))._tag).toBe("Paid")
    }),
  )

  it.live("unless its URL is refused for itself: then the one that worked is put back", () =>
    Effect.gen(function* () {
      const { psp, register: start, registered, periods } = yield* openRegistration("refuses", other, "no URL")
      const failure = yield* Effect.flip(Effect.tryPromise({ try: start, catch: (error) => error }))
      expect(failure).toMatchObject({ _tag: "ProcessorRejected", operation: "registerWebhook" })
      expect([registered(), calls(psp), periods]).toEqual([other, ["PUT", "GET", "DELETE", "PUT", "PUT"], []])
    }),
  )
})
