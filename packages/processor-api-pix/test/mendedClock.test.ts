import { pspProfiles } from "@pixcharge/processor-api-pix"
import { bankWays } from "@pixcharge/simulated-bank"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { company, type LifeBank, openLife } from "./life/openLife.ts"

const minuteMs = 60_000

const { itau, itauRegulatorio } = bankWays

const { reshape } = itauRegulatorio.production

/** Itaú, but with real UTC where it writes Brasília's time today. */
const mended: LifeBank = {
  psp: "itau",
  profile: pspProfiles.itau,
  ways: { production: { ...itau.production, ...(reshape && { reshape }) } },
}

it.live(
  "reads a new payment's time as UTC once a bank no longer writes Brasília's time, although its profile still says so",
  () =>
    Effect.gen(function* () {
      const { pix, psp, bank, mountedAt } = yield* openLife(mended, "production")
      yield* Effect.promise(async () => {
        await bank.registerWebhook(company.cnpj, { pixKey: company.pixKey, mountedAt, reconcile: pix.reconcile })
        const { id, txid } = await pix.issue(company.cnpj, { id: crypto.randomUUID(), amountCents: 1000 })
        const { paidAt } = psp.pay(company.cnpj, txid)
        await psp.webhooks.idle()
        const found = await pix.find(company.cnpj, id)
        expect(found._tag).toBe("Paid")
        expect(Math.abs((found._tag === "Paid" ? found.payment.paidAt : 0) - paidAt)).toBeLessThan(minuteMs)
      })
    }),
)
