import type { SoakSample } from "../SoakResults.ts"

/** What is read from a sample, and from the one before it. */
type Reading = (sample: SoakSample, before: SoakSample) => number

/** A quantity that must not grow with time, once the run is warm. */
export interface SteadyRule {
  readonly _tag: "Steady"
  readonly what: string
  readonly unit: Unit
  readonly read: Reading
  /** How much it may rise from the end of the warm-up to the end of the run, of its median; */
  readonly share: number
  /** and so much in any case. */
  readonly least: number
}

/** A quantity that may grow with each charge, by so much at most. */
export interface GrowthRule {
  readonly _tag: "Growth"
  readonly what: string
  readonly unit: Unit
  readonly read: Reading
  readonly mostACharge: number
}

/** In what a quantity is counted. */
export type Unit = "bytes" | "count" | "ratio"

const mebibyte = 1_048_576

/** Tables that keep what must stay: a row and more for each charge. */
const keeping = new Set(["charges", "payments", "returns", "archived_texts", "audit_log"])

const sumTables = (
  { database: { tables } }: SoakSample,
  isKeeping: boolean,
  read: (table: SoakSample["database"]["tables"][string]) => number,
): number =>
  Object.entries(tables)
    .filter(([name]) => keeping.has(name) === isKeeping)
    .reduce((sum, [, table]) => sum + read(table), 0)

/** A reading for each charge that was issued between two samples. */
const aCharge =
  (read: (sample: SoakSample) => number): Reading =>
  (sample, before) =>
    (read(sample) - read(before)) / Math.max(sample.load.issued - before.load.issued, 1)

/** What the host's heap takes, after a collection. */
export const heap: SteadyRule = {
  _tag: "Steady",
  what: "heap in use",
  unit: "bytes",
  read: ({ host }) => host.heapBytes,
  share: 0.08,
  least: 3 * mebibyte,
}

/** What the host's process takes of the machine's memory. */
export const memory: SteadyRule = {
  _tag: "Steady",
  what: "memory of the process",
  unit: "bytes",
  read: ({ host }) => host.rssBytes,
  share: 0.1,
  least: 16 * mebibyte,
}

/** More requests are under way the slower the machine is. */
export const handles: SteadyRule = {
  _tag: "Steady",
  what: "handles",
  unit: "count",
  read: ({ host }) => host.handles,
  share: 0.25,
  least: 24,
}

export const descriptors: SteadyRule = {
  _tag: "Steady",
  what: "file descriptors",
  unit: "count",
  read: ({ host }) => host.descriptors,
  share: 0.25,
  least: 24,
}

/** A pool opens more connections the busier it is, up to its ten. */
export const connections: SteadyRule = {
  _tag: "Steady",
  what: "database connections",
  unit: "count",
  read: ({ database }) => database.connections,
  share: 0,
  least: 6,
}

/** Deliveries that nobody has tried, or whose time has come. */
export const outbox: SteadyRule = {
  _tag: "Steady",
  what: "deliveries to be sent",
  unit: "count",
  read: ({ database }) => database.outboxDue,
  share: 0,
  least: 10,
}

export const deadRows: SteadyRule = {
  _tag: "Steady",
  what: "dead rows of tables that don't grow",
  unit: "count",
  read: (sample) => sumTables(sample, false, (table) => table.deadRows),
  share: 0.5,
  least: 500,
}

/** Below so many rows a table is vacuumed by a number of dead rows; above, by their share of it. */
const smallTables = 1_000

/** A table is vacuumed when its dead rows are a share of it, so that their number grows with it. */
export const deadShare: SteadyRule = {
  _tag: "Steady",
  what: "dead rows for each row of tables that grow",
  unit: "ratio",
  read: (sample) =>
    sumTables(sample, true, (table) => table.deadRows) /
    Math.max(
      sumTables(sample, true, (table) => table.liveRows),
      smallTables,
    ),
  share: 0,
  least: 0.15,
}

/**
 * The outbox is vacuumed at some 500 dead rows, and pages that a vacuum empties are used again after the next one: its table
 * and indexes grow by what comes between two vacuums, and then no more. After the warm-up of an hour a sound run has 2 MB, which
 * rise by 0.2 MB. Four minutes end at the first vacuum: 0.9 MB rise by 0.3 MB, so that only what doubles them is found there.
 */
export const churned: SteadyRule = {
  _tag: "Steady",
  what: "tables and indexes that don't grow",
  unit: "bytes",
  read: (sample) => sumTables(sample, false, (table) => table.tableBytes + table.indexBytes),
  share: 0.25,
  least: 0.75 * mebibyte,
}

export const walRecords: SteadyRule = {
  _tag: "Steady",
  what: "records of the write-ahead log a charge",
  unit: "count",
  read: aCharge(({ database }) => database.walRecords),
  share: 0.25,
  least: 0,
}

/**
 * After a checkpoint each page is logged whole once, and the more pages there are, the more charges meet one that wasn't yet:
 * the minute after it has three times the bytes, which the median passes over, and 9 KB between checkpoints rise by 1.3 KB
 * in a sound hour, and by 2.4 KB where other work keeps the machine busy. Samples of four minutes have 16 charges each, and differ by
 * half: there only a rise by 4 KB is found, where a smaller bound would find rises that are none.
 */
export const walBytes: SteadyRule = {
  _tag: "Steady",
  what: "bytes of the write-ahead log a charge",
  unit: "bytes",
  read: aCharge(({ database }) => database.walBytes),
  share: 0.4,
  least: 4_096,
}

export const kept: GrowthRule = {
  _tag: "Growth",
  what: "tables and indexes that keep charges and payments",
  unit: "bytes",
  read: (sample) => sumTables(sample, true, (table) => table.tableBytes + table.indexBytes),
  mostACharge: 4_096,
}

/** All that is judged. */
export const rules: ReadonlyArray<SteadyRule | GrowthRule> = [
  heap,
  memory,
  handles,
  descriptors,
  connections,
  outbox,
  deadRows,
  deadShare,
  churned,
  walRecords,
  walBytes,
  kept,
]
