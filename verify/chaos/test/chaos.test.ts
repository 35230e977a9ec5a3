import { beforeAll, describe, expect, it } from "vitest"
import type { Evidence, Received, Row, Sale } from "../judge/Evidence.ts"
import { judge } from "../judge/judge.ts"
import { type ChaosResult, runChaos } from "../runChaos.ts"
import { type Topology, topologies } from "../Topology.ts"

let result: ChaosResult
beforeAll(async () => {
  result = await runChaos({ topology: topologies.one, faults: ["edge", "cut", "killHost"], seconds: 2, seed: 15 })
}, 120_000)

describe("callers who meet on charges, through two hosts", () => {
  it("are told nothing that contradicts another, the bank, the receiver or the rows", () => {
    expect(result.flaws).toEqual([])
  })

  it("issue, cancel, pay, pay twice, refund, refund parts and resolve", () => {
    const told = new Set(result.evidence.sales.flatMap((sale) => sale.told.map(({ operation }) => operation)))
    expect([...told].toSorted()).toEqual([
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

/** Replaces the first row of a table for which this holds; by nothing, too. */
const change = (
  evidence: Evidence,
  table: string,
  holds: (columns: Row["columns"]) => boolean,
  ...by: ReadonlyArray<Partial<Row> | undefined>
): Evidence => {
  const at = evidence.rows.findIndex((row) => row.table === table && holds(row.columns))
  const row = evidence.rows[at]
  if (row === undefined) throw new Error(`no such row of ${table}`)
  const put = by
    .filter((one) => one !== undefined)
    .map((one) => ({ ...row, ...one, columns: { ...row.columns, ...one.columns } }))
  return { ...evidence, rows: evidence.rows.toSpliced(at, 1, ...put) }
}

const any = () => true
const isIn = (state: string) => (columns: Row["columns"]) => columns["state"] === state
const isException = ({ settles, exception_state: state }: Row["columns"]) => settles === false && state === "refunded"

/** Changes the first sale that was told such an answer. */
const retell = (
  evidence: Evidence,
  operation: string,
  status: string,
  by: (told: Sale["told"]) => Sale["told"],
): Evidence => {
  const isSuch = (sale: Sale) => sale.told.some((one) => one.operation === operation && one.answer?.status === status)
  const at = evidence.sales.findIndex(isSuch)
  const sale = evidence.sales[at] as Sale
  return { ...evidence, sales: evidence.sales.toSpliced(at, 1, { ...sale, told: by(sale.told) }) }
}

/** The events without the first of a kind, however often it came, and then this. */
const receive = (evidence: Evidence, kind: string, ...by: ReadonlyArray<(event: Received) => Received>): Evidence => {
  const event = evidence.received.find((one) => one.kind === kind) as Received
  const others = evidence.received.filter(({ id }) => id !== event.id)
  return { ...evidence, received: [...others, ...by.map((make) => make(event))] }
}

/** What is made of sound evidence, and what the judge says then. */
const faults: Readonly<Record<string, readonly [(evidence: Evidence) => Evidence, RegExp]>> = {
  "a charge that is lost": [(all) => change(all, "charges", any), /was issued, and is lost/],
  "a charge that was issued as another": [
    (all) => change(all, "charges", any, { columns: { transaction_id: "another" } }),
    /was issued as another charge/,
  ],
  "a charge that nobody asked for": [
    (all) => change(all, "charges", any, {}, { key: "of its own", columns: { id: "another" } }),
    /charge another was asked for by nobody/,
  ],
  "a charge that lies in two places": [
    (all) => change(all, "charges", any, {}, { place: "elsewhere" }),
    /^doubled: charges/,
  ],
  "a charge that lies elsewhere": [(all) => change(all, "charges", any, { isHome: false }), /^misplaced: charges/],
  "a refund that a stale move took back": [
    (all) => change(all, "charges", isIn("refunded"), { columns: { state: "paid" } }),
    /must be refunded, and is paid/,
  ],
  "a cancellation that was taken back": [
    (all) => change(all, "charges", isIn("cancelled"), { columns: { state: "pending" } }),
    /must be cancelled, and is pending/,
  ],
  "two moves from one version": [
    (all) => change(all, "charges", isIn("refunded"), { columns: { version: 2 } }),
    /has moved 2 times, and must have 3 times or more/,
  ],
  "an exception moved twice from one version": [
    (all) => change(all, "payments", isException, { columns: { exception_version: 1 } }),
    /exception .* has moved fewer than/,
  ],
  "an exception that is open again": [
    (all) => change(all, "payments", isException, { columns: { exception_state: "open" } }),
    /exception .* must be refunded, and is open/,
  ],
  "a payment that is lost": [(all) => change(all, "payments", any), /payment \w+ is in the books 0 times/],
  "a payment of other cents": [
    (all) => change(all, "payments", any, { columns: { amount_cents: 1 } }),
    /payment \w+ is booked with 1 cents/,
  ],
  "a payment that nobody made": [
    (all) => change(all, "payments", any, {}, { key: "of its own", columns: { end_to_end_id: "E1" } }),
    /payment E1 is in the books, and nobody has made it/,
  ],
  "a return that is lost": [(all) => change(all, "returns", any), /return .* is not in the books/],
  "a return that nobody made": [
    (all) => change(all, "returns", any, {}, { key: "of its own", columns: { id: "D1" } }),
    /return D1 of .* is none of the bank's/,
  ],
  "money that went back twice": [
    (all) => ({
      ...all,
      payments: all.payments.map((payment) => ({ ...payment, returns: [...payment.returns, ...payment.returns] })),
    }),
    /went back beyond what was paid/,
  ],
  "a part that was told returned, and is not": [
    (all) => ({
      ...all,
      payments: all.payments.map((payment) => ({
        ...payment,
        returns: payment.returns.filter(({ id }) => !id.includes("P")),
      })),
    }),
    /part \w+ was told returned, and went back 0 times/,
  ],
  "a part that was returned, and told otherwise": [
    (all) =>
      retell(all, "refundPart", "returned", (told) => told.filter(({ operation }) => operation !== "refundPart")),
    /part \w+ was not told returned, and went back 1 times/,
  ],
  "a refund that was told, and is not": [
    (all) => ({ ...all, payments: all.payments.map((payment) => ({ ...payment, returns: [] })) }),
    /was told refunded, and its money is not back/,
  ],
  "an event that is lost": [(all) => receive(all, "refunded"), /is refunded, and was not told so/],
  "an event that is told twice": [
    (all) => ({
      ...receive(
        all,
        "paid",
        (event) => event,
        (event) => event,
      ),
      incidents: [],
    }),
    /event \w+ was told 2 times/,
  ],
  "an event of a payment that settled nothing": [
    (all) => receive(all, "paid", (event) => ({ ...event, endToEndId: "E1" })),
    /was told paid of a payment that has not settled it/,
  ],
  "an event of other cents": [
    (all) => receive(all, "paid", (event) => ({ ...event, amountCents: 1 })),
    /was told paid with 1 cents/,
  ],
  "an event of no charge": [
    (all) =>
      receive(
        all,
        "paid",
        (event) => event,
        (event) => ({ ...event, id: "evt", chargeId: "none" }),
      ),
    /an event came of none, which is no charge/,
  ],
  "an event that comes late": [
    (all) => ({ ...all, received: all.received.map((one) => (one.kind === "paid" ? { ...one, at: Infinity } : one)) }),
    /was told paid after it was told refunded/,
  ],
  "an event that waits": [
    (all) => ({
      ...all,
      rows: [
        ...all.rows,
        {
          table: "deliveries",
          place: "",
          key: "one",
          isHome: true,
          columns: { event_id: "evt_1", superseded_at: null },
        },
      ],
    }),
    /event evt_1 still waits/,
  ],
  "an event that isn't signed": [(all) => ({ ...all, unsound: 1 }), /had no sound event/],
  "an answer that is stale": [
    (all) =>
      retell(all, "refund", "refunded", (told) => [
        ...told,
        { operation: "find", key: "", beganAt: Date.now(), endedAt: Date.now(), answer: { status: "paid" } },
      ]),
    // The judge quotes the first answer that says more.
    /was refund(?:ing|ed), and find then said paid/,
  ],
  "a call that hangs": [
    (all) => ({ ...all, attempts: all.attempts.map((one) => ({ ...one, endedAt: one.beganAt + 60_000 })) }),
    /hang: .* took 60000 ms/,
  ],
}

describe("the judge names", () => {
  it.each(Object.entries(faults))("%s", (_, [plant, named]) => {
    expect(judge(plant(result.evidence)).filter((flaw) => named.test(flaw))).not.toEqual([])
  })
})

describe.each(Object.entries<Topology>(topologies).filter(([name]) => name === "one" || name.endsWith("chronous")))(
  "a minute of chaos on the topology %s",
  { tags: ["long"], timeout: 600_000 },
  (_, topology) => {
    it("contradicts nothing that was told", async () => {
      const { flaws } = await runChaos({ topology, faults: topology.faults, seconds: 60, seed: 2 })
      expect(flaws).toEqual([])
    })
  },
)
