import type { ChargeEvent } from "@pixcharge/core/charges"
import type { Receipt } from "../../simulate/judge/index.ts"
import type { LedgerPayment } from "@pixcharge/simulated-bank"
import { beforeAll, describe, expect, it } from "vitest"
import type { Attempt, Evidence, Row, Sale } from "../judge/Evidence.ts"
import { judge } from "../judge/judge.ts"
import { type ChaosResult, runChaos } from "../runChaos.ts"
import { type Topology, topologies } from "../Topology.ts"

let result: ChaosResult
beforeAll(async () => {
  result = await runChaos({ topology: topologies.one, faults: ["edge", "lockRows", "killHost"], seconds: 2, seed: 15 })
})

describe("concurrent callers of the same charges, through two hosts", () => {
  it("get no answers that contradict each other, the bank, the receiver or the rows", () => {
    expect(result.flaws).toEqual([])
  })

  it("issue, cancel, pay, pay twice, refund, refund parts and resolve", () => {
    const operations = new Set(result.evidence.sales.flatMap((sale) => sale.answers.map(({ operation }) => operation)))
    expect([...operations].toSorted()).toEqual([
      "cancel",
      "confirmPayment",
      "exceptions.refund",
      "exceptions.resolve",
      "find",
      "issue",
      "refund",
      "refundPart",
    ])
  })
})

const change = (
  evidence: Evidence,
  table: string,
  holds: (columns: Row["columns"]) => boolean,
  ...by: ReadonlyArray<Partial<Row> | undefined>
): Evidence => {
  const index = evidence.rows.findIndex((row) => row.table === table && holds(row.columns))
  const row = evidence.rows[index]
  if (row === undefined) throw new Error(`no such row of ${table}`)
  const put = by
    .filter((one) => one !== undefined)
    .map((one) => ({ ...row, ...one, columns: { ...row.columns, ...one.columns } }))
  return { ...evidence, rows: evidence.rows.toSpliced(index, 1, ...put) }
}

const acceptAll = () => true
const isIn = (state: string) => (columns: Row["columns"]) => columns["state"] === state
const isException = ({ settles, exception_state: state }: Row["columns"]) => settles === false && state === "refunded"

const alterAnswers = (
  evidence: Evidence,
  operation: string,
  status: string,
  alter: (answers: Sale["answers"]) => Sale["answers"],
): Evidence => {
  const isSuch = (sale: Sale) =>
    sale.answers.some((one) => one.operation === operation && one.answer?.status === status)
  const index = evidence.sales.findIndex(isSuch)
  const sale = evidence.sales[index] as Sale
  return { ...evidence, sales: evidence.sales.toSpliced(index, 1, { ...sale, answers: alter(sale.answers) }) }
}

const receive = (evidence: Evidence, kind: string, ...by: ReadonlyArray<(receipt: Receipt) => Receipt>): Evidence => {
  const receipt = evidence.receipts.find(({ event }) => event.kind === kind) as Receipt
  const others = evidence.receipts.filter(({ event }) => event.id !== receipt.event.id)
  return { ...evidence, receipts: [...others, ...by.map((make) => make(receipt))] }
}

const keep = (receipt: Receipt): Receipt => receipt

const returnOtherwise = (
  all: Evidence,
  alter: (returns: LedgerPayment["returns"]) => LedgerPayment["returns"],
): Evidence => {
  const payments = [...all.ledger.payments].map(
    ([id, payment]) => [id, { ...payment, returns: alter(payment.returns) }] as const,
  )
  return { ...all, ledger: { ...all.ledger, payments: new Map(payments) } }
}

/**
 * Faults that are put into sound evidence, each with the judge's finding: one for each rule of chaos, and some for the
 * simulation's rules.
 */
const faults: Readonly<Record<string, readonly [(evidence: Evidence) => Evidence, RegExp]>> = {
  "a charge that is lost": [(all) => change(all, "charges", acceptAll), /was issued, but is lost/],
  "a charge that was issued as another": [
    (all) => change(all, "charges", acceptAll, { columns: { transaction_id: "another" } }),
    /was issued as another charge/,
  ],
  "a charge whose texts are lost": [(all) => change(all, "charge_texts", acceptAll), /was issued as another charge/],
  "a charge without a request": [
    (all) =>
      change(
        all,
        "charges",
        acceptAll,
        {},
        { key: "of its own", columns: { id: "00000000-0000-4000-8000-000000000000" } },
      ),
    /charge 00000000-0000-4000-8000-000000000000 exists without a request/,
  ],
  "a charge of other cents": [
    (all) => change(all, "charges", acceptAll, { columns: { amount_cents: 1 } }),
    /charge .* has 1 cents/,
  ],
  "a charge in two places": [
    (all) => change(all, "charges", acceptAll, {}, { place: "elsewhere" }),
    /^doubled: charges/m,
  ],
  "a charge in a wrong place": [(all) => change(all, "charges", acceptAll, { isHome: false }), /^misplaced: charges/m],
  "a refund that a stale move took back": [
    (all) => change(all, "charges", isIn("refunded"), { columns: { state: "paid" } }),
    // The judge quotes the first answer with a later state.
    /was refund(?:ing|ed), and find then said paid/,
  ],
  "a cancellation that was taken back": [
    (all) => change(all, "charges", isIn("cancelled"), { columns: { state: "pending" } }),
    /was cancelled, and find then said pending/,
  ],
  "a cancellation without a request": [
    (all) => alterAnswers(all, "cancel", "cancelled", () => []),
    /was cancelled without a request/,
  ],
  "a charge that another payment has settled": [
    (all) =>
      alterAnswers(all, "confirmPayment", "paid", (answers) =>
        answers.map((one) => (one.answer ? { ...one, answer: { ...one.answer, settledBy: "E1" } } : one)),
      ),
    /was paid by E1 according to \w+, but is paid by E\w+/,
  ],
  "two moves from one version": [
    (all) => change(all, "charges", isIn("refunded"), { columns: { version: 2 } }),
    /charge \S+ has version 2, but must have at least version 3/,
  ],
  "an exception moved twice from one version": [
    (all) => change(all, "payments", isException, { columns: { exception_version: 1 } }),
    /exception \w+ has version 1, but must have at least version 2/,
  ],
  "an exception that is open again": [
    (all) => change(all, "payments", isException, { columns: { exception_state: "open" } }),
    /exception \w+ was answered as Refunded, but is Open/,
  ],
  "a returned part that an answer denies": [
    (all) =>
      alterAnswers(all, "refundPart", "returned", (answers) =>
        answers.filter(({ operation }) => operation !== "refundPart"),
      ),
    /part \w+ was returned, but the answers say otherwise/,
  ],
  "an answer that is stale": [
    (all) =>
      alterAnswers(all, "refund", "refunded", (answers) => [
        ...answers,
        { operation: "find", key: "", beganAt: Date.now(), endedAt: Date.now(), answer: { status: "paid" } },
      ]),
    /was refund(?:ing|ed), and find then said paid/,
  ],
  "a call that hangs": [
    (all) => ({ ...all, attempts: all.attempts.map((one) => ({ ...one, endedAt: one.beganAt + 60_000 })) }),
    /hang: .* took 60000 ms/,
  ],
  "a call that fails without a fault": [
    (all) => ({ ...all, attempts: [{ ...(all.attempts[0] as Attempt), failure: "StoreUnavailable" }] }),
    /issue of \d+ at this \d failed with StoreUnavailable without a fault/,
  ],
  "an event that is sent twice": [
    (all) => ({ ...receive(all, "paid", keep, keep), incidents: [] }),
    /event \w+ was received 2 times/,
  ],
  "an event that isn't signed": [(all) => ({ ...all, unsound: 1 }), /had no valid event/],
  "a payment that is lost": [
    (all) => change(all, "payments", acceptAll),
    /^booksMatchBank: payment \w+ .* is not in the books/m,
  ],
  "a return that the bank didn't make": [
    (all) => change(all, "returns", acceptAll, {}, { key: "of its own", columns: { id: "D1" } }),
    /^booksMatchBank: return \w+ by D1 .* is not at the bank/m,
  ],
  "a payment that was returned twice": [
    (all) => returnOtherwise(all, (returns) => [...returns, ...returns]),
    /^onceForEachKey: \w+ is to be returned, but \w+ is returned/m,
  ],
  "a return without a request": [
    (all) => returnOtherwise(all, (returns) => returns.map((one) => ({ ...one, id: "D1" }))),
    /^refundsFollowRequests: .* no client requested that/m,
  ],
  "a paid charge whose payment was returned": [
    (all) => change(all, "charges", isIn("refunded"), { columns: { state: "paid" } }),
    /^stateFollowsFromMoney: \S+ is Paid, but its whole payment was returned/m,
  ],
  "a pending charge without a check": [
    (all) =>
      change(all, "charges", isIn("cancelled"), {
        columns: { state: "pending", check_at: null },
      }),
    /^nothingWaitsForEver: \S+ is Pending, but has no check/m,
  ],
  "an event that is lost": [(all) => receive(all, "refunded"), /^eventsArrive: refunded .* never arrived/m],
  "an event that was not recorded": [
    (all) => change(all, "settled_deliveries", ({ kind }) => kind === "refunded"),
    /^eventForEachTransition: \S+ is Refunded, and has 0 deliveries of refunded/m,
  ],
  "a `paid` event that arrives after `refunded`": [
    (all) =>
      receive(all, "refunded", keep, (one) => ({ ...one, event: { ...one.event, kind: "paid" } as ChargeEvent })),
    /^eventsArrive: paid of \S+ was sent to \S+ after a later event of its charge/m,
  ],
  "an event that waits": [
    (all) => change(all, "settled_deliveries", acceptAll, { table: "deliveries", columns: { status: "waiting" } }),
    /^nothingWaitsForEver: \w+ of \S+ to \S+ still waits/m,
  ],
}

describe("the judge names", () => {
  it.each(Object.entries(faults))("%s", (_, [plant, named]) => {
    expect(judge(plant(result.evidence)).join("\n")).toMatch(named)
  })
})

const alone = Object.entries<Topology>(topologies).filter(([name]) => name !== "citus" && name !== "releases")

describe.each(alone)("a minute of chaos on the topology %s", { tags: ["long"], timeout: 600_000 }, (_, topology) => {
  it("contradicts no answer", async () => {
    const { flaws } = await runChaos({ topology, faults: topology.faults, seconds: 60, seed: 2 })
    expect(flaws).toEqual([])
  })
})
