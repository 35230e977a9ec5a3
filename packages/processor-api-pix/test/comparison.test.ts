import { it } from "@pixcharge/adapter-tests/suites"
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { company } from "./bank/openBank.ts"
import { openShop } from "./bank/openShop.ts"

const hour = 3_600_000

describe("a comparison with the bank's list", () => {
  it.live("shows a payment as missing in the books until the books are reconciled", () =>
    Effect.gen(function* () {
      const { psp, pix } = yield* openShop()
      const { cnpj } = company
      const { id, txid } = yield* Effect.promise(() => pix.issue(cnpj, { id: randomUUID(), amountCents: 1_990 }))
      const { endToEndId } = psp.pay(cnpj, txid)
      psp.returnOutside(endToEndId, 90, "ORIGINAL")
      const now = pix.clock.now()
      const period = { from: now - hour, until: now + hour }
      const before = yield* Effect.promise(() => pix.comparison(cnpj, period))
      expect(before).toMatchObject({
        rows: [{ endToEndId, differences: ["missingInBooks"], bank: { amountCents: 1_990, returnedCents: 90, txid } }],
        differences: 1,
        matches: 0,
      })
      expect((yield* Effect.promise(() => pix.find(cnpj, id))).status).toBe("pending")
      yield* Effect.promise(() => pix.by("ana").reconcile(cnpj, period))
      const after = yield* Effect.promise(() => pix.comparison(cnpj, period))
      expect(after).toMatchObject({ rows: [{ endToEndId, differences: [] }], differences: 0, matches: 1 })
    }),
  )

  it.live("counts each payment once if the bank's pages overlap", () =>
    Effect.gen(function* () {
      const { psp, pix } = yield* openShop({
        psp: { ways: { pageCounts: "ofThisPage", pagesBeyond: "empty", pageSize: 2 } },
      })
      for (const cents of [100, 200]) psp.payToKey(company.pixKey, cents)
      const now = pix.clock.now()
      const reconciled = yield* Effect.promise(() =>
        pix.reconcile(company.cnpj, { from: now - hour, until: now + hour }),
      )
      expect(psp.exchanges.filter(({ path }) => path === "/pix").length).toBeGreaterThan(2)
      expect(reconciled).toEqual({ listed: 2, payments: 2, returns: 0 })
    }),
  )
})
