import { migrate, postgresStore } from "@pixcharge/store-postgres"
import { it } from "@pixcharge/testkit/suites"
import { startPostgres } from "@pixcharge/verify/world"
import * as Effect from "effect/Effect"
import pg from "pg"
import { describe, expect } from "vitest"
import { company, otherCompany } from "./bank/openBank.ts"
import { anHour, aRequest, aWhileAgo, openShared } from "./bank/openShared.ts"

/** Two processes with one database, at a bank where two companies share an account. */
const openTwo = Effect.gen(function* () {
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
  const first = yield* openShared(undefined, { store: postgresStore({ db: one }) })
  const second = yield* openShared(undefined, { store: postgresStore({ db: other }), at: first.psp })
  return { psp: first.psp, a: first.pix, b: second.pix }
})

const tag = (call: Promise<{ readonly _tag?: string }>): Promise<string | undefined> =>
  call.then(
    ({ _tag }) => _tag,
    (error: { readonly _tag: string }) => error._tag,
  )

describe("two processes that act at once for two companies under one id", () => {
  for (const due of [false, true]) {
    it.live(
      `leave each its own charge and money, with ${due ? "a" : "no"} due date`,
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
})
