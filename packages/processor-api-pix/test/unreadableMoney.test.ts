import { it } from "@pixcharge/adapter-tests/suites"
import type { Cents } from "@pixcharge/core/money"
import type { SimulatedBank } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { describe, expect } from "vitest"
import { company } from "./bank/openBank.ts"
import { loggedBy, noticeUrl, openShop } from "./bank/openShop.ts"

type BankPayment = ReturnType<SimulatedBank["pay"]>

const anHour = () => ({ from: Date.now() - 3_600_000, until: Date.now() + 60_000 })

/** The options of a bank that doesn't keep to the API's schemas, and lists two payments on a page. */
const odd = { psp: { ways: { nulls: true, pageSize: 2 } } } as const

const spoil = <T extends object>(row: T, values: Partial<T>) => {
  const before = { ...row }
  Object.assign(row, values)
  return () => Object.assign(row, before)
}

const opened = Effect.gen(function* () {
  const shop = yield* openShop(odd)
  const { pix, psp } = shop
  const issue = () => pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1_990 })
  const charges = yield* Effect.promise(() => Promise.all([issue(), issue(), issue(), issue(), issue()]))
  const payments = charges.map(({ txid }, n) => psp.pay(company.cnpj, txid, { paidAt: Date.now() - 5_000 + n }))
  const states = () =>
    Effect.promise(() => Promise.all(charges.map(async ({ id }) => (await pix.find(company.cnpj, id))._tag)))
  return { ...shop, charges, payments, states }
})

const first = (payments: ReadonlyArray<BankPayment>): BankPayment => {
  const [payment] = payments
  if (payment === undefined) throw new Error("expected paid charges")
  return payment
}

describe("an unreadable payment in a bank's list", () => {
  it.live("doesn't delay other payments, makes the reconciliation fail, and is recorded once it can be read", () =>
    Effect.gen(function* () {
      const { pix, payments, states } = yield* opened
      const restore = spoil(first(payments), { amountCents: Number.NaN as Cents })
      const reconcile = () => pix.reconcile(company.cnpj, anHour())
      const output = yield* Effect.promise(() =>
        loggedBy(() =>
          expect(reconcile()).rejects.toMatchObject({
            _tag: "ProcessorUnavailable",
            operation: "payments",
            cause: "1 of the payments and returns that are listed can't be read",
          }),
        ),
      )
      expect(yield* states()).toEqual(["Pending", "Paid", "Paid", "Paid", "Paid"])
      expect(output).toContain("ERROR (#0): The bank's list of payments has 1 that can't be read, at valor")
      expect(output).not.toContain("NaN")
      restore()
      expect(yield* Effect.promise(reconcile)).toMatchObject({ listed: 5, payments: 1 })
      expect(yield* states()).toEqual(Array.from({ length: 5 }, () => "Paid"))
    }),
  )

  it.live("prevents the cancellation of its charge, and settles the charge once it can be read", () =>
    Effect.gen(function* () {
      const { pix, psp, charges, payments, states } = yield* opened
      const restore = spoil(first(payments), { amountCents: Number.NaN as Cents })
      const charge = charges[0] as (typeof charges)[number]
      const booked = psp.ledger.charges.get(`${company.cnpj}/${charge.txid}`)
      // Some banks show the payment before they show its charge as paid.
      if (booked !== undefined) booked.status = "active"
      const cancel = () =>
        expect(pix.cancel(company.cnpj, charge.id)).rejects.toMatchObject({ _tag: "ChargeAlreadyPaid" })
      const output = yield* Effect.promise(() => loggedBy(cancel))
      expect(output).toContain(`ERROR (#0): The bank's charge ${charge.txid} has 1 that can't be read, at valor`)
      expect((yield* states())[0]).toBe("Pending")
      restore()
      yield* Effect.promise(cancel)
      expect((yield* states())[0]).toBe("Paid")
    }),
  )
})

describe("a notice about a payment with an unreadable return", () => {
  it.live("records the payment, but must be sent again", () =>
    Effect.gen(function* () {
      const { pix, psp, charges, payments } = yield* opened
      const { endToEndId, txid } = first(payments)
      const charge = charges[0] as (typeof charges)[number]
      const restore = spoil(psp.returnOutside(endToEndId, 990, "ORIGINAL"), { amountCents: Number.NaN as Cents })
      const notify = async () => {
        const body = JSON.stringify({ pix: [{ endToEndId, txid, devolucoes: [{}] }] })
        return (await pix.fetch(new Request(`https://shop.invalid${noticeUrl(company)}`, { method: "POST", body })))
          .status
      }
      const output = yield* Effect.promise(() => loggedBy(async () => expect(await notify()).toBe(503)))
      expect(output).toContain(`ERROR (#0): The bank's payment ${endToEndId} has 1 that can't be read, at valor`)
      expect(yield* Effect.promise(() => pix.find(company.cnpj, charge.id))).toMatchObject({
        _tag: "Paid",
        returns: [],
      })
      restore()
      expect(yield* Effect.promise(notify)).toBe(200)
      expect(yield* Effect.promise(() => pix.find(company.cnpj, charge.id))).toMatchObject({
        returns: [{ kind: "outside", amountCents: 990 }],
      })
    }),
  )
})
