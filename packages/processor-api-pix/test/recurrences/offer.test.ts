import { decodeBrCode } from "@pixcharge/core/brcode"
import { type ChargeId, chargeTxid } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { Journey } from "@pixcharge/core/recurrence"
import { standardProfile } from "@pixcharge/processor-api-pix"
import type { FaultedCall, SimulatedBank } from "@pixcharge/simulated-bank"
import { anOrder, aPayer } from "@pixcharge/adapter-tests/fixtures"
import { it } from "./itSettles.ts"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect } from "vitest"
import { company } from "../bank/openBank.ts"
import { aRecurrence } from "./aRecurrence.ts"
import { listCalls, losses, openRecurrences } from "./openRecurrences.ts"

const day = 86_400_000

const byBank = (): Journey => ({
  by: "bank",
  ispb: "60701190",
  branch: "0001",
  account: "123456",
  until: Date.now() + day,
})

const decode = (brCode = "") => Result.getOrThrow(decodeBrCode(brCode)).code

const isCallTo = (method: string, path: string) => (call: FaultedCall) => call.method === method && call.path === path

describe("offering a recurrence", () => {
  it.live("makes a location, the recurrence and its code (journey 2)", () =>
    Effect.gen(function* () {
      const { psp, recurrences, offer } = yield* openRecurrences()
      const recurrence = aRecurrence({ floorCents: 100 as Cents })
      const view = yield* offer(recurrence)
      expect(listCalls(psp)).toEqual(["POST /locrec", "POST /rec", "GET /rec/{id}"])
      expect(view).toMatchObject({ status: "offered", bankId: expect.stringMatching(/^RR\w{27}$/) })
      const [rec] = psp.recurring.ledger.recs.values()
      const { location } = psp.recurring.ledger.locations.get(rec?.locationId ?? 0) ?? {}
      expect(decode(view.brCode)).toMatchObject({ _tag: "Recurrence", recurrenceUrl: location })
      expect(rec?.body).toMatchObject({
        vinculo: {
          contrato: recurrence.contract,
          objeto: "Assinatura",
          devedor: { cpf: aPayer.taxId, nome: aPayer.name },
        },
        calendario: { dataInicial: recurrence.startDate, periodicidade: "MENSAL" },
        valor: { valorRec: "49.90" },
        politicaRetentativa: "PERMITE_3R_7D",
      })
      psp.recurring.approve(view.bankId)
      const { brCode: _, ...known } = yield* recurrences
        .lookup({ ...recurrence, _tag: "Offered", bankId: view.bankId })
        .pipe(Effect.map((shown) => shown ?? view))
      expect(known).toEqual({ bankId: view.bankId, status: "approved", at: expect.any(Number) })
    }),
  )

  it.live("connects it to an immediate charge whose payment approves it (journey 3)", () =>
    Effect.gen(function* () {
      const { psp, processor, recurrences, offer } = yield* openRecurrences()
      const order = yield* anOrder(company, {})
      yield* processor.register(order)
      const recurrence = aRecurrence({ journey: { by: "payment", chargeId: order.id } })
      const { brCode, bankId } = yield* offer(recurrence)
      const code = decode(brCode)
      expect(code._tag === "Dynamic" && code.recurrenceUrl).toMatch(/\/rec\//)
      const offered = { ...recurrence, _tag: "Offered", bankId } as const
      // A look-up requests the code without the charge. That code only authorises, so the view must not contain it.
      expect(yield* recurrences.lookup(offered)).toEqual({ bankId, status: "offered", at: expect.any(Number) })
      psp.pay(company.cnpj, order.txid)
      expect(yield* recurrences.lookup(offered)).toMatchObject({ status: "approved" })
    }),
  )

  it.live("connects it to a due-date charge, which the request for the code names (journey 4)", () =>
    Effect.gen(function* () {
      const { psp, processor, offer } = yield* openRecurrences()
      const order = { ...(yield* anOrder(company, { dueInDays: 3 })), payer: aPayer }
      yield* processor.register(order)
      const { dueDate, id: chargeId } = order
      const { brCode } = yield* offer(
        aRecurrence({ journey: { by: "payment", chargeId, ...(dueDate && { dueDate }) } }),
      )
      expect(decode(brCode)).toMatchObject({ _tag: "Dynamic", recurrenceUrl: expect.stringMatching(/\/rec\//) })
      expect([...psp.recurring.ledger.recs.values()].map(({ firstTxid }) => firstTxid)).toEqual([undefined])
    }),
  )

  it.live("sends a request to the payer's bank, which is then approved, declined or expires (journey 1)", () =>
    Effect.gen(function* () {
      const { psp, recurrences, offer, moveTo } = yield* openRecurrences()
      const { recurring } = psp
      const end = Effect.fnUntraced(function* (become: (bankId: string) => void) {
        const recurrence = aRecurrence({ journey: byBank() })
        const { bankId, brCode } = yield* offer(recurrence)
        expect(brCode).toBeUndefined()
        become(bankId)
        return (yield* recurrences.lookup({ ...recurrence, _tag: "Offered", bankId }))?.status
      })
      expect(yield* end(() => undefined)).toBe("offered")
      const [request] = recurring.ledger.requests.values()
      expect(request?.body).toMatchObject({
        destinatario: { cpf: aPayer.taxId, ispbParticipante: "60701190", agencia: "0001", conta: "123456" },
      })
      expect(yield* end((bankId) => recurring.approve(bankId))).toBe("approved")
      expect(yield* end((bankId) => recurring.decline(bankId))).toBe("declined")
      expect(yield* end(() => moveTo(Date.now() + 2 * day))).toBe("expired")
    }),
  )
})

const countCalls = ({ faults }: SimulatedBank, hits: (call: FaultedCall) => boolean) => {
  let count = 0
  const countCall = (call: FaultedCall): boolean => {
    if (hits(call)) count++
    return false
  }
  faults.add({ _tag: "Hangs" }, countCall)
  return () => count
}

describe("a call without an idempotency key", () => {
  for (const [what, fault] of Object.entries(losses)) {
    for (const [path, by] of [
      ["/locrec", "code"],
      ["/rec", "code"],
      ["/rec", "bank"],
      ["/solicrec", "bank"],
    ] as const) {
      it.live(`isn't made twice if ${what} at POST ${path} (journey by ${by})`, () =>
        Effect.gen(function* () {
          const { psp, offer } = yield* openRecurrences()
          const recurrence = aRecurrence(by === "bank" ? { journey: byBank() } : {})
          const isHit = isCallTo("POST", path)
          const count = countCalls(psp, isHit)
          psp.faults.add(fault, isHit, 1)
          const first = yield* Effect.result(offer(recurrence))
          expect(count()).toBe(1)
          const isFound = fault._tag !== "RequestLost" && path !== "/locrec"
          expect(Result.isSuccess(first)).toBe(isFound)
          if (Result.isFailure(first)) expect(first.failure._tag).toBe("ProcessorUnavailable")
          const view = yield* offer(recurrence, {})
          expect(count()).toBe(isFound ? 1 : 2)
          expect([...psp.recurring.ledger.recs.keys()]).toEqual([view.bankId])
          expect(psp.recurring.ledger.requests.size).toBe(by === "bank" ? 1 : 0)
        }),
      )
    }
  }

  it.live("is retried after a 429", () =>
    Effect.gen(function* () {
      const { psp, offer } = yield* openRecurrences()
      const count = countCalls(psp, isCallTo("POST", "/rec"))
      psp.faults.add({ _tag: "Status", status: 429, retryAfter: "0" }, isCallTo("POST", "/rec"), 1)
      yield* offer(aRecurrence())
      expect([count(), psp.recurring.ledger.recs.size]).toEqual([2, 1])
    }),
  )

  it.live("isn't repeated for an offer that is found by its contract, and the offer keeps its code", () =>
    Effect.gen(function* () {
      const { psp, offer } = yield* openRecurrences()
      const recurrence = aRecurrence()
      yield* offer(aRecurrence())
      const first = yield* offer(recurrence)
      expect(yield* offer(recurrence, {})).toEqual(first)
      expect(psp.recurring.ledger.recs.size).toBe(2)
    }),
  )

  for (const pageCounts of ["right", "roundedDown", "ofThisPage", "none"] as const) {
    for (const firstPage of [0, 1] as const) {
      it.live(
        `isn't repeated if the offer is on a later page of the list (page counts: ${pageCounts}, first page: ${firstPage})`,
        () =>
          Effect.gen(function* () {
            const pagesBeyond = firstPage === 0 ? "refused" : "empty"
            const { psp, offer } = yield* openRecurrences({ ways: { pageCounts, firstPage, pagesBeyond, pageSize: 2 } })
            const all = Array.from({ length: 5 }, () => aRecurrence())
            const first = yield* Effect.forEach(all, (one) => offer(one))
            expect(yield* Effect.forEach(all, (one) => offer(one, {}))).toEqual(first)
            expect(psp.recurring.ledger.recs.size).toBe(5)
          }),
      )
    }
  }

  it.live("is made once for two concurrent offers", () =>
    Effect.gen(function* () {
      const { psp, offer } = yield* openRecurrences()
      const recurrence = aRecurrence()
      const [one, other] = yield* Effect.all([offer(recurrence), offer(recurrence)], { concurrency: 2 })
      expect(one).toEqual(other)
      expect(psp.recurring.ledger.recs.size).toBe(1)
    }),
  )

  it.live("isn't repeated for an offer that a look-up has shown, even if the bank no longer shows it", () =>
    Effect.gen(function* () {
      const { psp, offer } = yield* openRecurrences()
      const recurrence = aRecurrence()
      const first = yield* offer(recurrence)
      const { bankId } = first
      expect(yield* offer(recurrence, { bankId })).toEqual(first)
      psp.recurring.ledger.recs.clear()
      const failed = yield* Effect.flip(offer(recurrence, { bankId }))
      expect([failed._tag, psp.recurring.ledger.recs.size]).toEqual(["ProcessorUnavailable", 0])
    }),
  )

  it.live("isn't made while the bank can't be searched", () =>
    Effect.gen(function* () {
      const { psp, offer } = yield* openRecurrences()
      psp.faults.add({ _tag: "Status", status: 500 }, isCallTo("GET", "/rec"))
      const failed = yield* Effect.flip(offer(aRecurrence(), {}))
      expect([failed._tag, psp.recurring.ledger.recs.size]).toEqual(["ProcessorUnavailable", 0])
    }),
  )
})

const unknownBank = { ...standardProfile, recurrences: "missing" }

describe("a rejected offer", () => {
  it.live("has the bank's reason, and is withdrawn at the bank", () =>
    Effect.gen(function* () {
      const { psp, offer } = yield* openRecurrences()
      const past = yield* Effect.flip(offer(aRecurrence({ startDate: "2020-01-01" as never })))
      expect([past._tag, psp.recurring.ledger.recs.size]).toEqual(["ProcessorRejected", 0])
      const late = { ...byBank(), until: Date.now() + 40 * day } as Journey
      const refused = yield* Effect.flip(offer(aRecurrence({ journey: late })))
      expect([refused._tag, [...psp.recurring.ledger.recs.values()].map(({ status }) => status)]).toEqual([
        "ProcessorRejected",
        ["CANCELADA"],
      ])
    }),
  )

  it.live("is the result if the bank doesn't know the journey's charge", () =>
    Effect.gen(function* () {
      const { psp, offer } = yield* openRecurrences()
      const chargeId = "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c" as ChargeId
      const refused = yield* Effect.flip(offer(aRecurrence({ journey: { by: "payment", chargeId } })))
      expect([refused._tag, psp.ledger.charges.has(chargeTxid(company.cnpj, chargeId))]).toEqual([
        "ProcessorRejected",
        false,
      ])
    }),
  )

  it.live("is the result if the connection has no receiving account, or the bank isn't known to have recurrences", () =>
    Effect.gen(function* () {
      const { recurrences, offer, psp } = yield* openRecurrences({}, { receivingAccount: undefined } as never)
      const recurrence = aRecurrence()
      const refused = yield* Effect.flip(offer(recurrence))
      expect(refused._tag === "ProcessorRejected" && Redacted.value(refused.reason)).toMatch(/no receivingAccount/)
      // An offer from before the account was removed is kept: its look-up is unavailable, not rejected.
      const known = { ...recurrence, _tag: "Offered", bankId: "RR1234567820260101abcdefghijk" } as const
      expect((yield* Effect.flip(recurrences.lookup(known)))._tag).toBe("ProcessorUnavailable")
      expect(psp.exchanges).toEqual([])
      const missing = yield* openRecurrences({}, {
        receivingAccount: undefined,
        profile: unknownBank,
      } as never).pipe(Effect.flatMap((other) => Effect.flip(other.offer(recurrence))))
      expect(missing._tag === "ProcessorRejected" && Redacted.value(missing.reason)).toMatch(/no public source/)
    }),
  )
})
