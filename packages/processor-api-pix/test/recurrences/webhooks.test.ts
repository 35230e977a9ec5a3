import type { BankOptions, NoticeKind, SimulatedBank } from "@pixcharge/simulated-bank"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { company } from "../bank/openBank.ts"
import { noticeUrl, openShop } from "../bank/openShop.ts"
import { receivingAccount } from "./aRecurrence.ts"
import { listCalls, openRecurrences } from "./openRecurrences.ts"

const ours = `https://shop.invalid${noticeUrl(company)}`
const kinds = ["rec", "cobr"] as const

const open = (known?: string, connection = {}, ways: BankOptions["ways"] = {}) =>
  Effect.gen(function* () {
    const { psp, bank } = yield* openRecurrences({ ways }, connection)
    const { webhooks } = psp.recurring.ledger
    const key = (kind: NoticeKind) => `${kind}/${company.cnpj}`
    if (known !== undefined) for (const kind of kinds) webhooks.set(key(kind), { url: known, since: Date.now() })
    const order = { pixKey: company.pixKey, mountedAt: "https://shop.invalid", reconcile: async () => undefined }
    return {
      psp,
      register: (more: { readonly takesOver?: boolean } = {}) =>
        bank.registerWebhook(company.cnpj, { ...order, ...more }),
      registered: () => kinds.map((kind) => webhooks.get(key(kind))?.url),
    }
  })

describe("the webhooks of Pix Automático", () => {
  it.live("are registered once with the webhook of the key, and stay registered at later starts", () =>
    Effect.gen(function* () {
      const { psp, register, registered } = yield* open()
      yield* Effect.promise(() => register())
      expect(registered()).toEqual([ours, ours])
      yield* Effect.promise(() => register())
      expect(listCalls(psp).filter((call) => call === "PUT /webhookrec" || call === "PUT /webhookcobr").length).toBe(2)
    }),
  )

  it.live("replace our webhooks at another host, but another system's webhooks only with takesOver", () =>
    Effect.gen(function* () {
      const moved = yield* open(`https://before.invalid/v1${noticeUrl(company)}`)
      yield* Effect.promise(() => moved.register())
      expect(moved.registered()).toEqual([ours, ours])
      const foreign = "https://erp.example/pix-automatico"
      const taken = yield* open(foreign)
      yield* Effect.promise(() => expect(taken.register()).rejects.toMatchObject({ _tag: "ProcessorRejected" }))
      expect(taken.registered()).toEqual([foreign, foreign])
      yield* Effect.promise(() => taken.register({ takesOver: true }))
      expect(taken.registered()).toEqual([ours, ours])
    }),
  )

  it.live("replace our webhooks at another host even if those must be deleted first", () =>
    Effect.gen(function* () {
      const before = `https://before.invalid${noticeUrl(company)}`
      const { psp, register, registered } = yield* open(before, {}, { putOnWebhook: "refuses" })
      yield* Effect.promise(() => register())
      expect(registered()).toEqual([ours, ours])
      expect(listCalls(psp).filter((call) => call.startsWith("DELETE"))).toEqual([
        "DELETE /webhookrec",
        "DELETE /webhookcobr",
      ])
    }),
  )

  it.live("aren't registered by a connection without a receiving account", () =>
    Effect.gen(function* () {
      const { psp, register, registered } = yield* open(undefined, { receivingAccount: undefined })
      yield* Effect.promise(() => register())
      expect([registered(), listCalls(psp)]).toEqual([[undefined, undefined], ["PUT /webhook/" + company.pixKey]])
    }),
  )
})

const tokenScopes = ({ psp }: { readonly psp: Pick<SimulatedBank, "exchanges"> }) =>
  psp.exchanges.filter(({ path }) => path === "/oauth/token").map(({ request }) => JSON.stringify(request))

describe("the diagnosis", () => {
  it.live("reports whether a bank with a slow clock shows recurrences and calls our route for them", () =>
    Effect.gen(function* () {
      const psp = { now: () => Date.now() - 20_000 }
      const { pix, bank } = yield* openShop({ psp, connection: { receivingAccount } })
      const named = { companies: { [company.cnpj]: company.pixKey } }
      const find = Effect.promise(async () => {
        const findings = await pix.diagnose(named)
        return findings.find(({ check }) => check === `recurrences of ${company.cnpj}`)
      })
      expect(yield* find).toMatchObject({ status: "failed", message: expect.stringMatching(/call registerWebhook/) })
      const order = { pixKey: company.pixKey, mountedAt: "https://shop.invalid", reconcile: pix.reconcile }
      yield* Effect.promise(() => bank.registerWebhook(company.cnpj, order))
      expect(yield* find).toMatchObject({ status: "ok" })
    }),
  )

  it.live("requests the scopes of recurrences only if the connection has a receiving account", () =>
    Effect.gen(function* () {
      const named = { companies: { [company.cnpj]: company.pixKey } }
      const [without, withAccount] = [yield* openShop(), yield* openShop({ connection: { receivingAccount } })]
      for (const { pix } of [without, withAccount]) yield* Effect.promise(() => pix.diagnose(named))
      expect(tokenScopes(without).join(" ")).not.toMatch(/rec\.|cobr\./)
      expect(tokenScopes(withAccount)[0]).toMatch(/webhook\.read.rec\.write.*cobr\.write/)
    }),
  )
})
