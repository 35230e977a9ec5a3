import { migrate, postgresStore } from "@pixcharge/store-postgres"
import { it } from "@pixcharge/adapter-tests/suites"
import { startPostgres } from "@pixcharge/verify/world"
import * as Effect from "effect/Effect"
import pg from "pg"
import { describe, expect, vi } from "vitest"
import { company, otherCompany } from "./bank/openBank.ts"
import { anHour, aRequest, aWhileAgo, openShared, shareAccount } from "./bank/openShared.ts"
import { openShop } from "./bank/openShop.ts"
import { receivingAccount } from "./recurrences/aRecurrence.ts"
import { openSubscription } from "./recurrences/openSubscription.ts"

const openStores = Effect.gen(function* () {
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => startPostgres(["-c", "fsync=off"])),
    (open) => Effect.promise(() => open.stop()),
  )
  const openPool = Effect.acquireRelease(
    Effect.sync(() => new pg.Pool({ connectionString: `${server.url}/postgres`, max: 8 }).on("error", () => undefined)),
    (pool) => Effect.promise(() => pool.end()),
  )
  const [one, other] = [yield* openPool, yield* openPool]
  yield* Effect.promise(() => migrate(one))
  return [postgresStore({ db: one }), postgresStore({ db: other })] as const
})

/** Opens two processes with one database. Their two companies share an account. */
const openTwo = Effect.gen(function* () {
  const [one, other] = yield* openStores
  const first = yield* openShared(undefined, { store: one })
  const second = yield* openShared(undefined, { store: other, at: first.psp })
  return { psp: first.psp, a: first.pix, b: second.pix }
})

/**
 * Opens two processes like `openTwo`. The first company has a subscription, and the bank has scheduled its next debit.
 */
const openTwoSubscribed = Effect.gen(function* () {
  const [one, other] = yield* openStores
  const shared = yield* Effect.promise(() => shareAccount({ ours: company.pixKey, theirs: "outra@example.com" }))
  const options = { ...shared, connection: { ...shared.connection, receivingAccount } }
  const first = yield* openSubscription({ ...options, store: one })
  const second = yield* openShop({ ...options, recurrences: true, store: other, at: first.psp })
  const { items } = yield* Effect.promise(() => first.pix.recurrences.charges(company.cnpj, first.id))
  return { psp: first.psp, debit: first.debit, a: first.pix, b: second.pix, chargeId: items[0]?.id ?? "" }
})

const tag = (call: Promise<{ readonly _tag?: string }>): Promise<string | undefined> =>
  call.then(
    ({ _tag }) => _tag,
    (error: { readonly _tag: string }) => error._tag,
  )

describe("two processes that act concurrently on charges of two companies with the same id", () => {
  for (const due of [false, true]) {
    it.live(
      `keep each company's charge and money separate, with ${due ? "a" : "no"} due date`,
      () =>
        Effect.gen(function* () {
          const { a, b, psp } = yield* openTwo
          const request = aRequest(due)
          yield* Effect.promise(async () => {
            const issued = await Promise.all(
              [a, b].flatMap((pix) => [company, otherCompany].map(({ cnpj }) => pix.issue(cnpj, request))),
            )
            expect(new Set(issued.map(({ brCode }) => brCode)).size).toBe(2)
            const [ours] = issued
            const payment = psp.pay(company.cnpj, ours?.txid ?? "", aWhileAgo())
            const tags = await Promise.all([
              ...[a, b].map((pix) => tag(pix.cancel(otherCompany.cnpj, request.id))),
              ...[a, b].map((pix) => tag(pix.refund(otherCompany.cnpj, request.id))),
              ...[a, b].map((pix) => pix.reconcile(otherCompany.cnpj, anHour()).then(() => undefined)),
            ])
            expect(tags.slice(0, 2)).toEqual(["Cancelled", "Cancelled"])
            for (const refused of tags.slice(2, 4)) expect(["ChargeNotPaid", "ChargeCancelled"]).toContain(refused)
            expect(payment.returns).toEqual([])
            await Promise.all([a, b].map((pix) => pix.reconcile(company.cnpj, anHour())))
            expect((await b.find(company.cnpj, request.id))._tag).toBe("Paid")
            expect((await a.find(otherCompany.cnpj, request.id))._tag).toBe("Cancelled")
            await Promise.all([a, b].map((pix) => pix.refund(company.cnpj, request.id)))
            expect(payment.returns.map(({ amountCents }) => amountCents)).toEqual([payment.amountCents])
          })
        }),
      120_000,
    )
  }

  it.live(
    "record a cycle's debit for its company, and return it only once",
    () =>
      Effect.gen(function* () {
        const { a, b, chargeId: id, debit, psp } = yield* openTwoSubscribed
        yield* Effect.promise(async () => {
          const issued = await Promise.all(
            [a, b].map((pix) => pix.issue(otherCompany.cnpj, { id, amountCents: 4_990 })),
          )
          expect(new Set(issued.map(({ txid }) => txid)).size).toBe(1)
          debit()
          const tags = await Promise.all([
            ...[a, b].map((pix) => tag(pix.cancel(otherCompany.cnpj, id))),
            ...[a, b].map((pix) => tag(pix.refund(otherCompany.cnpj, id))),
            ...[a, b].map((pix) => pix.reconcile(otherCompany.cnpj, anHour()).then(() => undefined)),
          ])
          expect(tags.slice(0, 2)).toEqual(["Cancelled", "Cancelled"])
          for (const refused of tags.slice(2, 4)) expect(["ChargeNotPaid", "ChargeCancelled"]).toContain(refused)
          await vi.waitFor(async () => expect((await b.find(company.cnpj, id))._tag).toBe("Paid"), 60_000)
          const [payment] = psp.ledger.payments.values()
          expect(payment?.returns).toEqual([])
          expect((await a.find(otherCompany.cnpj, id))._tag).toBe("Cancelled")
          await Promise.all([a, b].map((pix) => pix.refund(company.cnpj, id)))
          expect(payment?.returns.map(({ amountCents }) => amountCents)).toEqual([4_990])
          expect(psp.recurring.debits).toHaveLength(1)
        })
      }),
    120_000,
  )
})
