import type { Charge } from "@pixcharge/core/charges"
import type { Ledger, LedgerCharge } from "@pixcharge/simulated-bank"
import { describe, expect, it } from "vitest"
import { processorRules, type SeenWord } from "../../judge/processorRules.ts"
import { Terms } from "../../judge/Terms.ts"
import { issuer, openAccount } from "./accounts.ts"

const minuteMs = 60_000

describe("a charge whose fees the bank changed", () => {
  const fine = { kind: "fixed", amountCents: 250 }
  const judgeBooks = (row: object, changedAt = 10 * minuteMs) =>
    new Terms().judgeBooks(
      { txid: "c", fees: { fine }, termsRows: [{ fees: { fine } }, row] } as unknown as Charge,
      { changedAt, terms: { dueDate: "2026-06-03", body: { valor: {} } } } as unknown as LedgerCharge,
    )

  it("can have other fees in the books only if these refused the change before", () => {
    expect(judgeBooks({ refusedAt: 5 * minuteMs })).toEqual([])
    for (const found of [
      judgeBooks({ refusedAt: 15 * minuteMs }),
      judgeBooks({ inForceAt: 5 * minuteMs }),
      judgeBooks({ refusedAt: 5 * minuteMs, fees: { fine: { ...fine, amountCents: 300 } } }),
    ])
      expect(found.join()).toMatch(/is stored with/)
  })
})

describe("a conflict of a registration", () => {
  const findWrong = (calendario: object, failure: string | undefined, due: object = {}) => {
    const terms = { amountCents: 100, body: { calendario, valor: {} }, ...due }
    const of = { issuer, txid: "c", location: "loc", terms }
    const bank = { ...of, status: "active", revision: 1, changedAt: 0, createdAt: 0 }
    const seen = {
      ledger: { charges: new Map([[`${issuer}/c`, bank]]) } as unknown as Ledger,
      accounts: openAccount(),
      ways: { creationAheadMs: 0, paymentsInCharges: true },
      requestedAt: 5,
      method: "register",
      args: [{ txid: "c", amountCents: 100, company: { cnpj: issuer, graceDays: 1 }, ...due }],
      answer: { txid: "c", brCode: "loc", createdAt: 0 },
      ...(failure !== undefined && { failure }),
    } as unknown as SeenWord
    return processorRules.bankIsQuoted?.(seen).join("; ")
  }

  const due = { dueDate: "2026-06-03" }

  it.each([
    ["validity", {}, { expiracao: 600 }, { expiracao: 90_000 }],
    ["grace days", due, { validadeAposVencimento: 1 }, { validadeAposVencimento: 11 }],
  ])("is right only if the bank's charge has other terms, such as its %s", (_, kind, own, others) => {
    for (const shown of [own, {}]) {
      expect(findWrong(shown, "ChargeConflict", kind)).toMatch(/but has the requested ones/)
      expect(findWrong(shown, undefined, kind)).toBe("")
    }
    expect(findWrong(others, "ChargeConflict", kind)).toBe("")
    expect(findWrong(others, undefined, kind)).toMatch(/but has other terms/)
  })
})
