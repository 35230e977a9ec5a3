import type { LedgerReturn } from "@pixcharge/simulated-bank"
import { expect, it } from "vitest"
import type { Evidence } from "../../judge/Evidence.ts"
import { Judge } from "../../judge/Judge.ts"
import { issuer, openAccount } from "./accounts.ts"

const [endToEndId, refundId] = ["E1", "D1"]
const order = { issuer, endToEndId, refundId, amountCents: 100 }

/** Judges a refusal. The bank has had the return since 500; the call was sent at 0 and answered at 9 000. */
const judgeRefusal = (arrivedAt: number | undefined) => {
  const world = { now: 0, note: () => undefined }
  const row = { id: refundId, status: "processing", createdAt: 500, changedAt: 500 } as LedgerReturn
  const ledger = { payments: new Map([[endToEndId, { issuer, endToEndId, returns: [row] }]]), charges: new Map() }
  const evidence = { ledger, accounts: openAccount(), listsAfterMs: 0 } as unknown as Evidence
  const judge = new Judge(world, { execute: () => undefined }, evidence)
  if (arrivedAt !== undefined) {
    world.now = arrivedAt
    judge.processor.arrive({ name: "h" }, refundId, 0)
  }
  world.now = 9_000
  const answer = { _tag: "Rejected", reason: "recusada" }
  const word = { caller: "h", method: "refund", args: [order], requestedAt: 0, clockAt: 0, isAlone: true, answer }
  judge.processor.end(word)
  return judge.violations.map(({ what }) => what).join()
}

it("accepts a refusal of a refund that another process requested after the refused call arrived", () => {
  expect(judgeRefusal(400)).toBe("")
  expect(judgeRefusal(600)).toMatch(/reported as Rejected, but at the bank it is processing/)
  expect(judgeRefusal(undefined)).toMatch(/reported as Rejected/)
})
