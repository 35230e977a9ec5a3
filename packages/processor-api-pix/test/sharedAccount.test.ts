import { wakeIntervalMs } from "@pixcharge/core/internal"
import type { Company } from "@pixcharge/core/party"
import type { Pix } from "@pixcharge/embed"
import type { SimulatedBank } from "@pixcharge/simulated-bank"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { describe, expect, onTestFinished, vi } from "vitest"
import { company, otherCompany } from "./bank/openBank.ts"
import { anHour, aRequest, aWhileAgo, openShared, type Payment, random, show } from "./bank/openShared.ts"
import { doWhatIsDue, noticeUrl, registration } from "./bank/openShop.ts"

const listPayments = async (pix: Pix, { cnpj }: Pick<Company, "cnpj">) => {
  const kept = []
  for await (const { endToEndId } of pix.payments(cnpj, anHour())) kept.push(endToEndId)
  return kept
}

const notify = (pix: Pix, to: Pick<Company, "cnpj">, { endToEndId, txid }: Payment, named: boolean) =>
  pix.fetch(
    new Request(`https://shop.invalid${noticeUrl(to)}/pix`, {
      method: "POST",
      body: JSON.stringify({ pix: [{ endToEndId, ...(named && { txid }) }] }),
    }),
  )

/** Ways to find a payment at the wrong company first. */
const ways = {
  "the other company's list": (pix: Pix) => pix.reconcile(otherCompany.cnpj, anHour()),
  "a notice to the other company": async (pix: Pix, payment: Payment) =>
    expect((await notify(pix, otherCompany, payment, true)).status).toBe(200),
  "a notice without a txid to the other company": async (pix: Pix, payment: Payment) =>
    expect((await notify(pix, otherCompany, payment, false)).status).toBe(200),
}

const shown: ReadonlyArray<readonly [string, string | undefined]> = [
  ["unchanged", random],
  ["empty", undefined],
  ["as the other company's key", "outra@example.com"],
]

const tagOf = async (pix: Pix, { cnpj }: Pick<Company, "cnpj">, id: string) => (await pix.find(cnpj, id))._tag

const compare = async (pix: Pix) => {
  const both = await Promise.all([company, otherCompany].map(({ cnpj }) => pix.comparison(cnpj, anHour())))
  return both.map(({ matches, differences, others }) => [matches, differences, others.length])
}

describe("a payment of one company's charge on an account of two companies", () => {
  for (const [way, find] of Object.entries(ways)) {
    for (const [how, pixKey] of shown) {
      it.live(`is only in that company's books if its key is shown ${how}, and ${way} finds it`, () =>
        Effect.gen(function* () {
          const { pix, psp } = yield* openShared()
          const request = aRequest(false)
          const [charge] = yield* Effect.promise(() =>
            Promise.all([company, otherCompany].map(({ cnpj }) => pix.issue(cnpj, request))),
          )
          if (charge === undefined) throw new Error("expected an issued charge")
          const payment = psp.pay(company.cnpj, charge.txid, aWhileAgo())
          show(payment, pixKey)
          yield* Effect.promise(() => find(pix, payment) as Promise<unknown>)
          expect(yield* Effect.promise(() => listPayments(pix, otherCompany))).toEqual([])
          yield* Effect.promise(() => pix.reconcile(company.cnpj, anHour()))
          expect(yield* Effect.promise(() => tagOf(pix, company, charge.id))).toBe("Paid")
          expect(yield* Effect.promise(() => tagOf(pix, otherCompany, charge.id))).toBe("Pending")
          expect(yield* Effect.promise(() => compare(pix))).toEqual([
            [1, 0, 0],
            [0, 0, 1],
          ])
        }),
      )
    }
  }

  it.live("is recorded soon after a notice to the other company", () =>
    Effect.gen(function* () {
      vi.useFakeTimers({ toFake: ["Date"] })
      onTestFinished(() => void vi.useRealTimers())
      const { pix, psp } = yield* openShared(undefined, { background: false })
      const charge = yield* Effect.promise(() => pix.issue(company.cnpj, aRequest(false)))
      yield* Effect.promise(() => doWhatIsDue(pix))
      const payment = psp.pay(company.cnpj, charge.txid)
      // Without the notice, the next list would come later than this.
      vi.setSystemTime(Date.now() + wakeIntervalMs)
      yield* Effect.promise(() => notify(pix, otherCompany, payment, true))
      yield* Effect.promise(() => doWhatIsDue(pix))
      expect(yield* Effect.promise(() => tagOf(pix, company, charge.id))).toBe("Paid")
    }),
  )

  it.live("is in that company's books even if the other company has its key now", () =>
    Effect.gen(function* () {
      const { pix, psp, ours, theirs } = yield* openShared()
      const charge = yield* Effect.promise(() => pix.issue(company.cnpj, aRequest(false)))
      yield* Effect.promise(() => pix.directory.putCompany({ ...registration(ours), pixKey: "nova@example.com" }))
      yield* Effect.promise(() => pix.directory.putCompany({ ...registration(theirs), pixKey: random }))
      const { endToEndId } = psp.pay(company.cnpj, charge.txid, aWhileAgo())
      yield* Effect.promise(() => pix.reconcile(otherCompany.cnpj, anHour()))
      yield* Effect.promise(() => pix.reconcile(company.cnpj, anHour()))
      expect(yield* Effect.promise(() => tagOf(pix, company, charge.id))).toBe("Paid")
      expect(yield* Effect.promise(() => listPayments(pix, company))).toEqual([endToEndId])
      expect(yield* Effect.promise(() => listPayments(pix, otherCompany))).toEqual([])
    }),
  )
})

describe("a company that issues under the id of another company's charge on the same account", () => {
  for (const due of [false, true]) {
    const kind = due ? "a due date" : "no due date"
    it.live(`gets its own code and charge, whether it issues first or second, with ${kind}`, () =>
      Effect.gen(function* () {
        const { pix, psp } = yield* openShared()
        for (const order of [
          [company, otherCompany],
          [otherCompany, company],
        ]) {
          const request = aRequest(due)
          const [first, second] = yield* Effect.promise(async () => [
            await pix.issue(order[0]?.cnpj ?? "", request),
            await pix.issue(order[1]?.cnpj ?? "", request),
          ])
          if (first === undefined || second === undefined) throw new Error("expected two charges")
          expect(first.brCode).not.toBe(second.brCode)
          yield* Effect.promise(() => pix.cancel(second.issuer, request.id))
          expect(psp.ledger.charges.get(`${company.cnpj}/${first.txid}`)?.status).toBe("active")
          psp.pay(company.cnpj, first.txid, aWhileAgo())
          for (const { cnpj } of [otherCompany, company]) yield* Effect.promise(() => pix.reconcile(cnpj, anHour()))
          const tags = [first, second].map(({ issuer }) => tagOf(pix, { cnpj: issuer }, request.id))
          expect(yield* Effect.promise(() => Promise.all(tags))).toEqual(["Paid", "Cancelled"])
        }
      }),
    )

    it.live(`can't refund that company's payment if the bank shows no key, with ${kind}`, () =>
      Effect.gen(function* () {
        const { pix, psp } = yield* openShared()
        const request = aRequest(due)
        const charge = yield* Effect.promise(() => pix.issue(company.cnpj, request))
        const payment = psp.pay(company.cnpj, charge.txid, aWhileAgo())
        show(payment, undefined)
        yield* Effect.promise(() => pix.issue(otherCompany.cnpj, request))
        yield* Effect.promise(() => pix.reconcile(otherCompany.cnpj, anHour()))
        yield* Effect.promise(() =>
          expect(pix.exceptions.refund(otherCompany.cnpj, payment.endToEndId)).rejects.toMatchObject({
            _tag: "ExceptionNotFound",
          }),
        )
        yield* Effect.promise(() =>
          expect(pix.refund(otherCompany.cnpj, request.id)).rejects.toMatchObject({ _tag: "ChargeNotPaid" }),
        )
        expect(payment.returns).toEqual([])
      }),
    )

    it.live(`doesn't prevent that company's restored books from finding their charge and payment, with ${kind}`, () =>
      Effect.gen(function* () {
        const before = yield* openShared()
        const { psp } = before
        const request = aRequest(due)
        const charge = yield* Effect.promise(() => before.pix.issue(company.cnpj, request))
        show(psp.pay(company.cnpj, charge.txid, aWhileAgo()), undefined)
        const { pix } = yield* openShared(undefined, { at: psp })
        yield* Effect.promise(() => pix.issue(otherCompany.cnpj, request))
        yield* Effect.promise(() => pix.reconcile(otherCompany.cnpj, anHour()))
        const again = yield* Effect.promise(() => pix.issue(company.cnpj, request))
        expect(again.brCode).toBe(charge.brCode)
        yield* Effect.promise(() => pix.reconcile(company.cnpj, anHour()))
        expect(yield* Effect.promise(() => tagOf(pix, company, charge.id))).toBe("Paid")
        expect(yield* Effect.promise(() => listPayments(pix, otherCompany))).toEqual([])
      }),
    )
  }
})

describe("a charge at the bank under our txid that pays another company's key", () => {
  const calls = (psp: SimulatedBank, method: string) => psp.exchanges.filter((one) => one.method === method).length

  it.live("is a conflict for a repeated order", () =>
    Effect.gen(function* () {
      const before = yield* openShared()
      const { psp } = before
      const request = aRequest(false)
      const charge = yield* Effect.promise(() => before.pix.issue(company.cnpj, request))
      Object.assign(psp.ledger.charges.get(`${company.cnpj}/${charge.txid}`)?.terms.body ?? {}, {
        chave: "OUTRA@example.com",
      })
      const { pix } = yield* openShared(undefined, { at: psp })
      yield* Effect.promise(() =>
        expect(pix.issue(company.cnpj, request)).rejects.toMatchObject({ _tag: "ChargeConflict" }),
      )
    }),
  )

  it.live("can't be cancelled, and isn't sent to the bank", () =>
    Effect.gen(function* () {
      const { pix, psp } = yield* openShared()
      const charge = yield* Effect.promise(() => pix.issue(company.cnpj, aRequest(false)))
      Object.assign(psp.ledger.charges.get(`${company.cnpj}/${charge.txid}`)?.terms.body ?? {}, {
        chave: "outra@example.com",
      })
      yield* Effect.promise(() =>
        expect(pix.cancel(company.cnpj, charge.id)).rejects.toMatchObject({ _tag: "ProcessorRejected" }),
      )
      expect(calls(psp, "PATCH")).toBe(0)
      expect(yield* Effect.promise(() => tagOf(pix, company, charge.id))).toBe("Pending")
    }),
  )
})

describe("a payment without a txid of ours on an account of two companies", () => {
  it.live("belongs to the company whose key it shows, in upper or lower case", () =>
    Effect.gen(function* () {
      const { pix, psp } = yield* openShared()
      const payments = ["OUTRA@example.com", "outra@example.com"].map((pixKey) => {
        const payment = psp.payToKey("outra@example.com", 300, "f".repeat(35))
        Object.assign(payment, aWhileAgo())
        show(payment, pixKey)
        return payment.endToEndId
      })
      yield* Effect.promise(() => pix.reconcile(company.cnpj, anHour()))
      expect(yield* Effect.promise(() => listPayments(pix, company))).toEqual([])
      expect((yield* Effect.promise(() => listPayments(pix, otherCompany))).toSorted()).toEqual(payments.toSorted())
    }),
  )

  it.live("stays in one company's books with its returns even if the bank shows another key later", () =>
    Effect.gen(function* () {
      const { pix, psp } = yield* openShared()
      const payment = psp.payToKey("outra@example.com", 300)
      yield* Effect.promise(() => notify(pix, otherCompany, payment, false))
      show(payment, random)
      psp.returnOutside(payment.endToEndId, 100, "ORIGINAL")
      expect(yield* Effect.promise(async () => (await notify(pix, company, payment, false)).status)).toBe(200)
      expect(yield* Effect.promise(() => listPayments(pix, company))).toEqual([])
      expect(yield* Effect.promise(() => listPayments(pix, otherCompany))).toEqual([payment.endToEndId])
      expect(yield* Effect.promise(() => compare(pix))).toEqual([
        [0, 0, 0],
        [1, 0, 0],
      ])
    }),
  )
})
