import { addDays, brasiliaDate } from "@pixcharge/core/calendar"
import type { FaultedCall } from "@pixcharge/simulated-bank"
import { aPayer } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { describe, expect, onTestFinished, vi } from "vitest"
import { company, otherCompany } from "../bank/openBank.ts"
import { openShared, random } from "../bank/openShared.ts"
import { doWhatIsDue, noticeUrl } from "../bank/openShop.ts"
import { receivingAccount } from "./aRecurrence.ts"

const makeRequest = (id: string, contract: string) => ({
  id,
  contract,
  payer: { name: aPayer.name, taxId: aPayer.taxId },
  title: "Academia",
  period: "monthly" as const,
  startDate: addDays(brasiliaDate(Date.now()), 30),
  amountCents: 4_990,
  journey: { by: "code" as const },
})

const isOffer = ({ method, path }: FaultedCall) => method === "POST" && path === "/rec"

/** After this time, the bank can no longer execute an unanswered call. */
const offerUnderWayMs = 120_000

/**
 * Opens two companies on one account. The first company has offered a recurrence. The call of the second company's
 * offer, with the same contract, is lost.
 */
const openOffered = Effect.gen(function* () {
  vi.useFakeTimers({ toFake: ["Date"] })
  onTestFinished(() => void vi.useRealTimers())
  const options = { connection: { receivingAccount }, recurrences: true, background: false } as const
  const { pix, psp } = yield* openShared(undefined, options)
  const first = makeRequest(randomUUID(), "1001")
  const theirs = yield* Effect.promise(() => pix.recurrences.offer(company.cnpj, first))
  psp.faults.add({ _tag: "RequestLost" }, isOffer, 1)
  const second = makeRequest(randomUUID(), "1001")
  const lost = yield* Effect.promise(() => pix.recurrences.offer(otherCompany.cnpj, second).catch(({ _tag }) => _tag))
  const statuses = () => [...psp.recurring.ledger.recs.values()].map(({ status }) => status)
  return { pix, psp, theirs, lost, second, statuses }
})

describe("an unanswered offer whose contract another company on the account also uses", () => {
  it.live("is made later, and isn't confused with the other company's recurrence", () =>
    Effect.gen(function* () {
      const { pix, theirs, lost, second, statuses } = yield* openOffered
      expect(lost).toBe("ProcessorUnavailable")
      vi.setSystemTime(Date.now() + offerUnderWayMs)
      yield* Effect.promise(() => doWhatIsDue(pix))
      const ours = yield* Effect.promise(() => pix.recurrences.offer(otherCompany.cnpj, second))
      expect(ours.brCode).toBeDefined()
      expect(ours.brCode).not.toBe(theirs.brCode)
      expect(statuses()).toEqual(["CRIADA", "CRIADA"])
    }),
  )

  it.live("can be ended, and the other company's recurrence stays", () =>
    Effect.gen(function* () {
      const { pix, second, statuses } = yield* openOffered
      yield* Effect.promise(() => pix.recurrences.end(otherCompany.cnpj, second.id))
      vi.setSystemTime(Date.now() + 11 * 60_000)
      yield* Effect.promise(() => doWhatIsDue(pix))
      expect(yield* Effect.promise(() => pix.recurrences.find(otherCompany.cnpj, second.id))).toMatchObject({
        status: "ended",
      })
      expect(statuses()).toEqual(["CRIADA"])
    }),
  )
})

describe("the webhooks of recurrences of a shared account", () => {
  it.live("stay at the address that was registered first, and their notices reach all companies", () =>
    Effect.gen(function* () {
      vi.useFakeTimers({ toFake: ["Date"] })
      onTestFinished(() => void vi.useRealTimers())
      const options = { connection: { receivingAccount }, recurrences: true, background: false } as const
      const { pix, psp, bank } = yield* openShared(undefined, options)
      const urls = () => [...psp.recurring.ledger.webhooks.values()].map(({ url }) => url)
      const mountedAt = "https://shop.invalid"
      const register = ({ cnpj, pixKey }: typeof company) =>
        Effect.promise(() => bank.registerWebhook(cnpj, { pixKey, mountedAt, reconcile: pix.reconcile }))
      yield* register({ ...company, pixKey: random })
      yield* register({ ...otherCompany, pixKey: "outra@example.com" })
      expect(urls()).toEqual([`${mountedAt}${noticeUrl(company)}`, `${mountedAt}${noticeUrl(company)}`])
      const findings = yield* Effect.promise(() => pix.diagnose())
      expect(findings.filter(({ check }) => check.startsWith("recurrences")).map(({ status }) => status)).toEqual([
        "ok",
        "ok",
      ])

      const { id } = yield* Effect.promise(() =>
        pix.recurrences.offer(otherCompany.cnpj, makeRequest(randomUUID(), "7")),
      )
      const [bankId = ""] = psp.recurring.ledger.recs.keys()
      psp.recurring.approve(bankId)
      const body = JSON.stringify({ recs: [{ idRec: bankId, status: "APROVADA" }] })
      const url = `https://shop.invalid${noticeUrl(company)}/rec`
      const { status } = yield* Effect.promise(() => pix.fetch(new Request(url, { method: "POST", body })))
      expect(status).toBe(200)
      yield* Effect.promise(() => doWhatIsDue(pix))
      expect(yield* Effect.promise(() => pix.recurrences.find(otherCompany.cnpj, id))).toMatchObject({
        status: "approved",
      })
    }),
  )
})
