import type { Pix } from "@pixcharge/embed"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { describe, expect } from "vitest"
import { company } from "./bank/openBank.ts"
import { noticeUrl, openShop } from "./bank/openShop.ts"

const anHour = () => ({ from: Date.now() - 3_600_000, until: Date.now() + 60_000 })

const listExceptions = async (pix: Pix) => {
  const open = []
  for await (const { payment } of pix.exceptions.list(company.cnpj)) open.push(payment.endToEndId)
  return open
}

const notify = async (pix: Pix, claims: ReadonlyArray<object>): Promise<number> => {
  const body = JSON.stringify({ pix: claims })
  const { status } = await pix.fetch(
    new Request(`https://shop.invalid${noticeUrl(company)}/pix`, { method: "POST", body }),
  )
  return status
}

describe("payments with txids that the host calls foreign", () => {
  it.live("are neither exceptions nor differences, but our own charge is recorded even if its txid matches", () =>
    Effect.gen(function* () {
      const { pix, psp } = yield* openShop({
        connection: { isForeignTxid: (txid: string) => txid.startsWith("BOLEPIX") || txid.length === 32 },
      })
      const charge = yield* Effect.promise(() => pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1_990 }))
      const paidAt = Date.now() - 5_000
      const ours = psp.pay(company.cnpj, charge.txid, { paidAt })
      const theirs = ["BOLEPIX1", "f".repeat(32)].map((txid) => psp.payToKey(company.pixKey, 500, txid))
      const unnamed = psp.payToKey(company.pixKey, 700)
      for (const payment of [...theirs, unnamed]) Object.assign(payment, { paidAt })

      const [named, silent] = theirs
      const before = psp.exchanges.length
      expect(yield* Effect.promise(() => notify(pix, [{ endToEndId: named?.endToEndId, txid: named?.txid }]))).toBe(200)
      expect(psp.exchanges.length).toBe(before)
      expect(yield* Effect.promise(() => notify(pix, [{ endToEndId: silent?.endToEndId }]))).toBe(200)
      expect(yield* Effect.promise(() => pix.reconcile(company.cnpj, anHour()))).toMatchObject({
        listed: 4,
        payments: 2,
      })
      expect(yield* Effect.promise(() => listExceptions(pix))).toEqual([unnamed.endToEndId])
      expect((yield* Effect.promise(() => pix.find(company.cnpj, charge.id)))._tag).toBe("Paid")
      const { rows, differences } = yield* Effect.promise(() => pix.comparison(company.cnpj, anHour()))
      expect(differences).toBe(0)
      expect(rows.map(({ endToEndId }) => endToEndId).toSorted()).toEqual(
        [ours.endToEndId, unnamed.endToEndId].toSorted(),
      )
    }),
  )

  it.live("are recorded if the host's function throws", () =>
    Effect.gen(function* () {
      const { pix, psp } = yield* openShop({
        connection: {
          isForeignTxid: () => {
            throw new Error("no list of txids")
          },
        },
      })
      const payment = psp.payToKey(company.pixKey, 500, "BOLEPIX1")
      expect(yield* Effect.promise(() => notify(pix, [payment]))).toBe(200)
      expect(yield* Effect.promise(() => listExceptions(pix))).toEqual([payment.endToEndId])
    }),
  )
})
