import { nationalBankHolidays } from "@pixcharge/core/calendar"
import type { PendingCharge } from "@pixcharge/core/charges"
import { aCompany, aPendingCharge, cents, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import * as Result from "effect/Result"
import fc from "fast-check"
import { expect, it } from "vitest"
import { type Command, decide } from "../../src/model/charge/decide.ts"
import { requestChange } from "../../src/model/charge/requestChange.ts"
import { bookPayment } from "../../src/model/charge/decideView.ts"
import { isAmountDueOn } from "../../src/model/charge/LateFees.ts"
import { shownToPayers } from "../../src/model/charge/TermsRow.ts"

const order = { company: aCompany(), holidays: nationalBankHolidays } as const

/** What the test itself knows of each row: amount, seconds of validity, and how the request ended. */
interface Known {
  readonly amount: number
  readonly seconds: number
  readonly end?: "inForce" | "refused"
}

type Step =
  | { readonly do: "request"; readonly amount: number; readonly seconds: number }
  | { readonly do: "confirm" | "refuse"; readonly number: number }
  | { readonly do: "show"; readonly amount: number; readonly seconds: number }

const amount = fc.integer({ min: 1, max: 4 })
const seconds = fc.constantFrom(600, 900, 1_200)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("request" as const), amount, seconds }),
  fc.record({ do: fc.constantFrom("confirm" as const, "refuse" as const), number: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ do: fc.constant("show" as const), amount, seconds }),
)

const isOf = (row: Known, given: Known) => row.amount === given.amount && row.seconds === given.seconds
const inForce = (rows: ReadonlyArray<Known>) => rows.findLast(({ end }) => end === "inForce") as Known

/** The rows after the step, by the rules in words; the bank counts each of its answers higher. */
const expectRows = (rows: ReadonlyArray<Known>, given: Step): ReadonlyArray<Known> => {
  const last = rows.at(-1) as Known
  const waits = last.end === undefined
  if ("number" in given) {
    const end = given.do === "confirm" ? "inForce" : "refused"
    return rows.map((row, index) => (index + 1 === given.number && row.end === undefined ? { ...row, end } : row))
  }
  const { amount: cent, seconds: validity } = given
  const terms: Known = { amount: cent, seconds: validity }
  if (given.do === "request") {
    if (waits) return rows
    return [...rows, isOf(inForce(rows), terms) ? { ...terms, end: "inForce" } : terms]
  }
  if (waits && isOf(last, terms)) {
    return isOf(inForce(rows), terms) ? rows : [...rows.slice(0, -1), { ...last, end: "inForce" }]
  }
  return isOf(inForce(rows), terms) ? rows : [...rows, { ...terms, end: "inForce" }]
}

const run = (charge: PendingCharge, given: Step, count: number): PendingCharge => {
  const now = fixtureNow + count
  const move = (command: Command) => Result.getOrThrow(decide(charge, command, now)).next ?? charge
  switch (given.do) {
    case "request": {
      const change = { key: `k${count}`, amountCents: given.amount, payableForSeconds: given.seconds }
      const asked = requestChange(charge, { ...order, change, by: "host" }, now)
      return ((Result.isSuccess(asked) && asked.success.next) || charge) as PendingCharge
    }
    case "show": {
      const shown = { amountCents: cents(given.amount), payableForSeconds: given.seconds, revision: count }
      return move({ _tag: "RecordTerms", shown, ...order }) as PendingCharge
    }
    default: {
      const outcome = given.do === "confirm" ? { _tag: "Confirmed" as const } : { _tag: "Refused" as const, reason: "" }
      return move({ _tag: "FinishChange", number: given.number, outcome }) as PendingCharge
    }
  }
}

const readRow = ({
  amountCents,
  payableUntil,
  inForceAt,
  refusedAt,
}: Parameters<typeof shownToPayers>[0] & {
  readonly amountCents: number
  readonly inForceAt?: number
  readonly refusedAt?: number
}): Known => ({
  amount: amountCents,
  seconds: (payableUntil - fixtureNow) / 1_000,
  ...(inForceAt !== undefined && { end: "inForce" as const }),
  ...(refusedAt !== undefined && { end: "refused" as const }),
})

it("a charge has its last terms in force, and a payment is judged by all terms that weren't refused", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let charge = aPendingCharge({ amountCents: cents(1), payableUntil: fixtureNow + 600_000 })
      let rows: ReadonlyArray<Known> = [{ amount: 1, seconds: 600, end: "inForce" }]
      for (const [index, given] of steps.entries()) {
        const before = charge
        charge = run(charge, given, index + 1)
        rows = expectRows(rows, given)
        expect((charge.termsRows ?? [{ ...charge, inForceAt: 0 }]).map(readRow)).toEqual(rows)
        expect({ amount: charge.amountCents, seconds: (charge.payableUntil - fixtureNow) / 1_000 }).toEqual({
          amount: inForce(rows).amount,
          seconds: inForce(rows).seconds,
        })
        expect(charge.watchUntil).toBeGreaterThanOrEqual(before.watchUntil)
        expect(charge.version - before.version).toBe(charge === before ? 0 : 1)
      }
      const accepted = rows.filter(({ end }) => end !== "refused")
      for (const paidAfter of [600, 601, 900, 901, 1_200, 1_201]) {
        const notice = {
          issuer: charge.issuer,
          endToEndId: "E",
          amountCents: cents(1),
          paidAt: fixtureNow + paidAfter * 1_000,
        }
        const { late } = bookPayment(charge, notice, { recordedAt: fixtureNow, isAmountDue: true })
        expect(late).toBe(accepted.every((row) => paidAfter > row.seconds))
      }
      for (const paid of [1, 2, 3, 4]) {
        const isDue = shownToPayers(charge).some((terms) => isAmountDueOn(terms, "2026-06-03" as never, cents(paid)))
        expect(isDue).toBe(accepted.some((row) => row.amount === paid))
      }
    }),
  )
})
