import type { Period } from "@pixcharge/core"
import { standardProfile } from "@pixcharge/processor-api-pix"
import { type SimulatedBank } from "@pixcharge/simulated-bank"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { describe, expect, vi } from "vitest"
import { company } from "./bank/openBank.ts"
import { noticeUrl, openShop } from "./bank/openShop.ts"

const ours = `https://shop.invalid${noticeUrl(company)}`
const other = "https://shop.invalid/an/older/address"

const calls = ({ exchanges }: SimulatedBank): ReadonlyArray<string> =>
  exchanges.filter(({ path }) => path.startsWith("/webhook/")).map(({ method }) => method)

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

describe("registering a webhook", () => {
  it.live("takes one call if the bank replaces another webhook", () =>
    Effect.gen(function* () {
      const { psp, register, registered, periods } = yield* openRegistration("replaces", other)
      yield* Effect.promise(register)
      expect([registered(), calls(psp), periods]).toEqual([ours, ["PUT"], []])
    }),
  )

  it.live("succeeds at every start, even if the bank refuses a known webhook", () =>
    Effect.gen(function* () {
      const { psp, register: start, registered, periods } = yield* openRegistration("refuses")
      yield* Effect.promise(start)
      yield* Effect.promise(start)
      expect([registered(), calls(psp), periods]).toEqual([ours, ["PUT", "PUT", "GET"], []])
    }),
  )

  it.live("replaces a webhook that the bank keeps, and searches the payments made meanwhile", () =>
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
      // A bank's clock can be a minute off.
      expect(from).toBeLessThanOrEqual(before - 60_000)
      expect(until).toBeGreaterThanOrEqual(before + 60_000)
      expect((yield* Effect.promise(() => pix.find(company.cnpj, id)))._tag).toBe("Paid")
    }),
  )

  it.live("adds the bank's suffix, and recognizes its own webhook by it", () =>
    Effect.gen(function* () {
      const profile = { ...standardProfile, webhookSuffix: "?ignorar=" }
      const { psp, bank, pix } = yield* openShop({
        psp: { ways: { putOnWebhook: "refuses" } },
        connection: { profile },
      })
      const order = { pixKey: company.pixKey, mountedAt: "https://shop.invalid", reconcile: pix.reconcile }
      yield* Effect.promise(() => bank.registerWebhook(company.cnpj, order))
      expect(psp.ledger.webhooks.get(company.pixKey)?.url).toBe(`${ours}?ignorar=`)
      psp.ledger.webhooks.set(company.pixKey, { url: `${ours}?ignorar=/pix`, since: Date.now() })
      yield* Effect.promise(() => bank.registerWebhook(company.cnpj, order))
      expect(calls(psp)).toEqual(["PUT", "PUT", "GET"])
    }),
  )

  it.live("recognizes its own webhook with the bank's /pix", () =>
    Effect.gen(function* () {
      const { psp, register, registered, periods } = yield* openRegistration("refuses", `${ours}/pix`)
      yield* Effect.promise(register)
      expect([registered(), calls(psp), periods]).toEqual([`${ours}/pix`, ["PUT", "GET"], []])
    }),
  )
})

const catchFailure = (register: () => Promise<void>) =>
  Effect.flip(Effect.tryPromise({ try: register, catch: (e) => e }))

/** Fails all attempts of one call of this kind once the webhook was deleted. The call is executed if it is `applied`. */
const failOnce = ({ faults }: SimulatedBank, failing: "DELETE" | "PUT", applied: boolean): void => {
  let isDeleted = false
  const hits = ({ method }: { readonly method: string }): boolean => {
    isDeleted ||= method === "DELETE"
    return isDeleted && method === failing
  }
  faults.add({ _tag: "Status", status: 500, applied }, hits, 3)
}

describe("a webhook that can't be replaced is restored, and the payments made meanwhile are searched", () => {
  it.live("if the new URL is refused", () =>
    Effect.gen(function* () {
      const { psp, register, registered, periods } = yield* openRegistration("refuses", other, "no URL")
      const failure = yield* catchFailure(register)
      expect(failure).toMatchObject({ _tag: "ProcessorRejected", operation: "registerWebhook" })
      expect([registered(), calls(psp)]).toEqual([other, ["PUT", "GET", "DELETE", "PUT", "PUT"]])
      expect(periods).toHaveLength(1)
    }),
  )

  for (const [title, failing, applied] of [
    ["if the deletion gets no answer", "DELETE", true],
    ["if the new URL gets no answer", "PUT", false],
  ] as const) {
    it.live(title, () =>
      Effect.gen(function* () {
        const { psp, register, registered, periods } = yield* openRegistration("refuses", other)
        failOnce(psp, failing, applied)
        expect(yield* catchFailure(register)).toMatchObject({ _tag: "ProcessorUnavailable" })
        expect(registered()).toBe(other)
        expect(periods).toHaveLength(1)
      }),
    )
  }
})

describe("a failure while a webhook is replaced", () => {
  const broken = () => Promise.reject(new Error("the search failed"))

  it.live("rejects with the failed search for payments once the webhook is registered", () =>
    Effect.gen(function* () {
      const { bank, registered } = yield* openRegistration("refuses", other)
      const order = { pixKey: company.pixKey, mountedAt: "https://shop.invalid", reconcile: broken }
      const failure = yield* catchFailure(() => bank.registerWebhook(company.cnpj, order))
      expect(failure).toMatchObject({ message: "the search failed" })
      expect(registered()).toBe(ours)
    }),
  )

  it.live("rejects with the bank's refusal, and logs the other failures", () =>
    Effect.gen(function* () {
      const { bank, psp } = yield* openRegistration("refuses", other, "no URL")
      const logged = vi.spyOn(console, "log").mockReturnValue()
      let puts = 0
      psp.faults.add({ _tag: "Status", status: 403 }, ({ method }) => method === "PUT" && ++puts === 3)
      const order = { pixKey: company.pixKey, mountedAt: "no URL", reconcile: broken }
      const failure = yield* catchFailure(() => bank.registerWebhook(company.cnpj, order))
      const said = logged.mock.calls.map((line) => line.join(" ")).join("\n")
      logged.mockRestore()
      expect(failure).toMatchObject({ _tag: "ProcessorRejected" })
      expect(said).toContain("The former webhook could not be restored")
      expect(said).toContain("The payments made without a webhook could not be searched")
    }),
  )
})
