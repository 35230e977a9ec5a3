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
  it.live("takes one call if the bank lets it replace another webhook", () =>
    Effect.gen(function* () {
      const { psp, register, registered, periods } = yield* openRegistration("replaces", other)
      yield* Effect.promise(register)
      expect([registered(), calls(psp), periods]).toEqual([ours, ["PUT"], []])
    }),
  )

  it.live("succeeds at every start even if the bank refuses to register a webhook again", () =>
    Effect.gen(function* () {
      const { psp, register: start, registered, periods } = yield* openRegistration("refuses")
      yield* Effect.promise(start)
      yield* Effect.promise(start)
      expect([registered(), calls(psp), periods]).toEqual([ours, ["PUT", "PUT", "GET"], []])
    }),
  )

  it.live(
    "deletes another webhook if the bank refuses to replace it, and then searches payments that were made meanwhile",
    () =>
      Effect.gen(function* () {
        const { psp, pix, register: start, registered, periods } = yield* openRegistration("refuses", other)
        const { id, txid } = yield* Effect.promise(() =>
          pix.issue(company.cnpj, { id: randomUUID(), amountCents: 500 }),
        )
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
        // The bank's clock can differ by a minute.
        expect(from).toBeLessThanOrEqual(before - 60_000)
        expect(until).toBeGreaterThanOrEqual(before + 60_000)
        expect((yield* Effect.promise(() => pix.find(company.cnpj, id)))._tag).toBe("Paid")
      }),
  )

  it.live("adds the suffix that the bank needs, and recognizes its own webhook with that suffix", () =>
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

  it.live("recognizes its own webhook even if the bank shows it with /pix", () =>
    Effect.gen(function* () {
      const { psp, register, registered, periods } = yield* openRegistration("refuses", `${ours}/pix`)
      yield* Effect.promise(register)
      expect([registered(), calls(psp), periods]).toEqual([`${ours}/pix`, ["PUT", "GET"], []])
    }),
  )
})

const catchFailure = (register: () => Promise<void>) =>
  Effect.flip(Effect.tryPromise({ try: register, catch: (e) => e }))

/**
 * Fails all attempts of one call with this method once the webhook was deleted. If `applied`, the bank executes the
 * call anyway.
 */
const failOnce = ({ faults }: SimulatedBank, failing: "DELETE" | "PUT", applied: boolean): void => {
  let isDeleted = false
  const hits = ({ method }: { readonly method: string }): boolean => {
    isDeleted ||= method === "DELETE"
    return isDeleted && method === failing
  }
  faults.add({ _tag: "Status", status: 500, applied }, hits, 3)
}

describe("a webhook that can't be replaced", () => {
  it.live("is restored, and payments made meanwhile are searched, if the bank refuses the new URL", () =>
    Effect.gen(function* () {
      const { psp, register, registered, periods } = yield* openRegistration("refuses", other, "no URL")
      const failure = yield* catchFailure(register)
      expect(failure).toMatchObject({ _tag: "ProcessorRejected", operation: "registerWebhook" })
      expect([registered(), calls(psp)]).toEqual([other, ["PUT", "GET", "DELETE", "PUT", "PUT"]])
      expect(periods).toHaveLength(1)
    }),
  )

  for (const [title, failing, applied] of [
    ["the deletion gets no answer", "DELETE", true],
    ["the registration of the new URL gets no answer", "PUT", false],
  ] as const) {
    it.live(`is restored, and payments made meanwhile are searched, if ${title}`, () =>
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

describe("the replacement of a webhook", () => {
  const broken = () => Promise.reject(new Error("the search failed"))

  it.live("rejects if only the search for payments fails, but the webhook stays registered", () =>
    Effect.gen(function* () {
      const { bank, registered } = yield* openRegistration("refuses", other)
      const order = { pixKey: company.pixKey, mountedAt: "https://shop.invalid", reconcile: broken }
      const failure = yield* catchFailure(() => bank.registerWebhook(company.cnpj, order))
      expect(failure).toMatchObject({ message: "the search failed" })
      expect(registered()).toBe(ours)
    }),
  )

  it.live("rejects with the bank's refusal if everything fails, and logs the other failures", () =>
    Effect.gen(function* () {
      const { bank, psp } = yield* openRegistration("refuses", other, "no URL")
      const logged = vi.spyOn(console, "log").mockReturnValue()
      let puts = 0
      psp.faults.add({ _tag: "Status", status: 403 }, ({ method }) => method === "PUT" && ++puts === 3)
      const order = { pixKey: company.pixKey, mountedAt: "no URL", reconcile: broken }
      const failure = yield* catchFailure(() => bank.registerWebhook(company.cnpj, order))
      const output = logged.mock.calls.map((line) => line.join(" ")).join("\n")
      logged.mockRestore()
      expect(failure).toMatchObject({ _tag: "ProcessorRejected" })
      expect(output).toContain("The former webhook could not be restored")
      expect(output).toContain("The payments made without a webhook could not be searched")
    }),
  )
})
