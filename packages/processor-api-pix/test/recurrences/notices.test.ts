import { PixCharges } from "@pixcharge/core"
import { type ChargeId, chargeTxid } from "@pixcharge/core/charges"
import { Recurrences, RecurrenceStore } from "@pixcharge/core/recurring"
import type { RecurrenceRequest } from "@pixcharge/core/recurrence"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { describe, expect, onTestFinished, vi } from "vitest"
import { noticeBudget } from "../../src/client/BankGate.ts"
import { company } from "../bank/openBank.ts"
import { noticeUrl } from "../bank/openShop.ts"
import { aCycleCharge, approved, aRecurrence } from "./aRecurrence.ts"
import { openNotices } from "./openNotices.ts"
import { openRecurrences } from "./openRecurrences.ts"

const reconcile = async () => undefined

const openHost = Effect.gen(function* () {
  const { psp, bank } = yield* openRecurrences()
  const { context, mountedAt } = yield* openNotices(bank, Recurrences.layer)
  yield* Effect.promise(() => bank.registerWebhook(company.cnpj, { pixKey: company.pixKey, mountedAt, reconcile }))
  const recurrences = Context.get(context, Recurrences)
  const store = Context.get(context, RecurrenceStore)
  const request = aRecurrence()
  const offered = yield* recurrences.offer(company.cnpj, request as RecurrenceRequest)
  const bankId = "bankId" in offered ? (offered.bankId ?? "") : ""
  const due = Effect.suspend(() => store.claim({ now: Date.now(), limit: 10, leaseMs: 60_000 })).pipe(
    Effect.map((claimed) => claimed.map(({ recurrence }) => recurrence.id)),
  )
  const noticesSent = Effect.promise(() => psp.webhooks.idle())
  const charges = Context.get(context, PixCharges)
  return { psp, recurrences, charges, store, request, bankId, due, noticesSent, mountedAt }
})

/**
 * Opens a host whose recurrence has a debited first cycle. Only the charge shows the payment; `GET /pix/{e2eid}`
 * returns 404.
 */
const openPaid = Effect.gen(function* () {
  const host = yield* openHost
  const { psp, recurrences, store, request, bankId, noticesSent, due } = host
  psp.recurring.approve(bankId)
  const known = yield* store.find(company.cnpj, request.id)
  if (known !== undefined) yield* recurrences.check(known)
  const [charge] = yield* store.openCharges(company.cnpj, request.id)
  if (charge === undefined) throw new Error("expected a charge of the cycle")
  psp.recurring.runDay(charge.cycle.settlesOn)
  yield* noticesSent
  yield* due
  psp.ways.reshape = (answer, { path }) =>
    path.startsWith("/pix/") ? { status: 404, body: { title: "PixNaoEncontrado" } } : answer
  const [{ endToEndId, txid } = { endToEndId: "", txid: "" }] = psp.recurring.debits
  return { ...host, charge, pix: [{ endToEndId, txid }] }
})

const post = (url: string, body: unknown) =>
  Effect.promise(async () => {
    const headers = { "content-type": "application/json" }
    return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).status
  })

describe("a notice of Pix Automático", () => {
  it.live("makes its recurrence due for a look-up at the bank, but doesn't change it", () =>
    Effect.gen(function* () {
      const { psp, recurrences, store, request, bankId, due, noticesSent } = yield* openHost
      yield* noticesSent
      yield* due
      psp.recurring.approve(bankId)
      yield* noticesSent
      expect(psp.webhooks.sent.at(-1)).toMatchObject({ url: expect.stringMatching(/\/rec$/), status: 200 })
      expect(yield* due).toEqual([request.id])
      const known = yield* store.find(company.cnpj, request.id)
      expect(known?._tag).toBe("Offered")
      if (known !== undefined) yield* recurrences.check(known)
      expect((yield* recurrences.find(company.cnpj, request.id))._tag).toBe("Approved")
    }),
  )

  it.live("makes the recurrence due if it is about a cycle's charge", () =>
    Effect.gen(function* () {
      const { psp, recurrences, store, request, bankId, due, noticesSent } = yield* openHost
      psp.recurring.approve(bankId)
      const known = yield* store.find(company.cnpj, request.id)
      if (known !== undefined) yield* recurrences.check(known)
      const [charge] = yield* store.openCharges(company.cnpj, request.id)
      yield* noticesSent
      yield* due
      psp.recurring.runDay(charge?.cycle.settlesOn ?? "")
      yield* noticesSent
      expect(psp.webhooks.sent.at(-1)).toMatchObject({ url: expect.stringMatching(/\/cobr$/), status: 200 })
      expect(yield* due).toEqual([request.id])
    }),
  )

  it.live(
    "is confirmed by the charge if it is about the payment of a cycle and the bank doesn't show that payment",
    () =>
      Effect.gen(function* () {
        const { charges, mountedAt, charge, pix } = yield* openPaid
        expect(yield* post(`${mountedAt}${noticeUrl(company)}/pix`, { pix })).toBe(200)
        expect((yield* charges.find(company.cnpj, charge.id))._tag).toBe("Paid")
      }),
  )

  const mixes: ReadonlyArray<readonly [string, (named: object, pix: object) => unknown]> = [
    ["in one body", (named, pix) => ({ ...named, pix })],
    ["in a list of bodies", (named, pix) => [named, { pix }]],
    ["in a list with bare payments", (named, pix) => [named, pix].flat()],
  ]
  for (const [where, mix] of mixes) {
    it.live(`is processed completely if it has a recurrence and a payment ${where}`, () =>
      Effect.gen(function* () {
        const { charges, request, bankId, due, mountedAt, charge, pix } = yield* openPaid
        const url = `${mountedAt}${noticeUrl(company)}/rec`
        expect(yield* post(url, mix({ recs: [{ idRec: bankId }] }, pix))).toBe(200)
        expect(yield* due).toEqual([request.id])
        expect((yield* charges.find(company.cnpj, charge.id))._tag).toBe("Paid")
        expect(yield* post(url, mix({ cobsr: [{ txid: charge.txid }] }, [{}]))).toBe(400)
        expect(yield* due).toEqual([request.id])
      }),
    )
  }

  it.live("has no effect if it is forged or has unknown ids", () =>
    Effect.gen(function* () {
      const { store, request, bankId, mountedAt } = yield* openHost
      const url = `${mountedAt}${noticeUrl(company)}`
      const { txid } = aCycleCharge(approved(request, bankId))
      for (const [below, body] of [
        ["/rec", { recs: [{ idRec: bankId, status: "CANCELADA" }] }],
        ["//rec", { recs: [{ idRec: "RN1234567820260101abcdefghijk", status: "APROVADA" }, {}, null, 7] }],
        ["/cobr", [{ cobsr: { idRec: bankId, txid, status: "CONCLUIDA" } }, { cobsr: [] }]],
        ["/rec", {}],
      ] as const) {
        expect(yield* post(`${url}${below.replace("//", "/")}`, body)).toBe(200)
      }
      expect((yield* store.find(company.cnpj, request.id))?._tag).toBe("Offered")
      expect(yield* post(`${mountedAt}/webhooks/api-pix/${company.cnpj}/${"0".repeat(32)}/rec`, {})).toBe(404)
      const many = Array.from({ length: 1_001 }, () => ({ idRec: bankId }))
      expect(yield* post(`${url}/rec`, { recs: many })).toBe(413)
    }),
  )

  it.live("causes one call to the store for all its ids, and uses the budget of notices", () =>
    Effect.gen(function* () {
      const { store, noticesSent, mountedAt } = yield* openHost
      yield* noticesSent
      const port = store as { -readonly [Method in keyof typeof store]: (typeof store)[Method] }
      let calls = 0
      for (const name of Object.keys(port) as ReadonlyArray<keyof typeof port>) {
        const method = port[name] as (...given: ReadonlyArray<unknown>) => unknown
        Object.assign(port, { [name]: (...given: ReadonlyArray<unknown>) => (calls++, method(...given)) })
      }
      const url = `${mountedAt}${noticeUrl(company)}/cobr`
      const txid = () => chargeTxid(company.cnpj, randomUUID() as ChargeId)
      const recs = Array.from({ length: 500 }, (_, index) => ({ idRec: `RN${String(index).padStart(27, "0")}` }))
      const cobsr = Array.from({ length: 500 }, () => ({ txid: txid() }))
      expect(yield* post(url, { recs, cobsr })).toBe(200)
      expect(calls).toBe(1)
      const again = Array.from({ length: 3 * noticeBudget.max }, () => post(url, { recs: [{ idRec: "R".repeat(29) }] }))
      expect(new Set(yield* Effect.all(again, { concurrency: 20 }))).toEqual(new Set([200, 503]))
    }),
  )

  it.live("doesn't use the budget if it is about another system's charges", () =>
    Effect.gen(function* () {
      const { mountedAt, due, noticesSent } = yield* openHost
      yield* noticesSent
      yield* due
      vi.useFakeTimers({ toFake: ["Date"] })
      onTestFinished(() => void vi.useRealTimers())
      const url = `${mountedAt}${noticeUrl(company)}/cobr`
      const others = Array.from({ length: 3 * noticeBudget.max }, (_, n) =>
        post(url, { cobsr: [{ txid: `outro${String(n).padStart(25, "0")}` }] }),
      )
      expect(new Set(yield* Effect.all(others, { concurrency: 20 }))).toEqual(new Set([200]))
      for (let n = 0; n < 3 * noticeBudget.max; n++) {
        yield* post(url, { recs: [{ idRec: `RN${String(n).padStart(27, "0")}` }] })
      }
      expect(yield* post(url, { cobsr: [{ txid: chargeTxid(company.cnpj, randomUUID() as ChargeId) }] })).toBe(200)
    }),
  )

  it.live("is accepted and ignored by a host without recurrences", () =>
    Effect.gen(function* () {
      const { bank } = yield* openRecurrences()
      const { mountedAt } = yield* openNotices(bank)
      const url = `${mountedAt}${noticeUrl(company)}/rec`
      expect(yield* post(url, { recs: [{ idRec: "RN1234567820260101abcdefghijk" }] })).toBe(200)
    }),
  )
})
