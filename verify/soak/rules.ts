import type { SoakSample } from "./runSoak.ts"
import type { TableSample } from "./sampleDatabase.ts"

/** A quantity that must not rise once the run is warm. */
export interface Rule {
  readonly what: string
  readonly unit: "bytes" | "count" | "ratio"
  readonly read: (sample: SoakSample, before: SoakSample) => number
  /** The minimum allowed rise from the end of the warm-up to the end of the run. */
  readonly least: number
  readonly share?: number
  readonly isPerCharge?: true
  /** In shorter runs the noise is as large as the allowed rise. Two by default. */
  readonly fromMinutes?: number
}

const mebibyte = 1_048_576

/** Tables with permanent rows: one or more per charge. */
const keeping = new Set(["charges", "payments", "returns", "charge_texts", "audit_log"])

const sumTables = ({ database }: SoakSample, isKeeping: boolean, read: (table: TableSample) => number): number =>
  Object.entries(database.tables)
    .filter(([name]) => keeping.has(name) === isKeeping)
    .reduce((sum, [, table]) => sum + read(table), 0)

const sumBytes = ({ tableBytes, indexBytes }: TableSample): number => tableBytes + indexBytes

/** A reading per charge issued between two samples. */
const aCharge =
  (read: (sample: SoakSample) => number): Rule["read"] =>
  (sample, before) =>
    (read(sample) - read(before)) / Math.max(sample.load.issued - before.load.issued, 1)

/** Smaller tables are vacuumed at a number of dead rows, larger ones at a share. */
const smallTables = 1_000

export const rules = {
  heap: { what: "heap in use", unit: "bytes", read: ({ host }) => host.heapBytes, least: 3 * mebibyte, share: 0.08 },
  memory: {
    what: "memory of the process",
    unit: "bytes",
    read: ({ host }) => host.rssBytes,
    least: 16 * mebibyte,
    share: 0.1,
  },
  // The slower the machine, the more requests are under way.
  handles: { what: "handles", unit: "count", read: ({ host }) => host.handles, least: 24, share: 0.25 },
  descriptors: {
    what: "file descriptors",
    unit: "count",
    read: ({ host }) => host.descriptors,
    least: 24,
    share: 0.25,
  },
  // A busier pool opens more connections, up to ten.
  connections: { what: "database connections", unit: "count", read: ({ database }) => database.connections, least: 6 },
  outbox: { what: "deliveries to be sent", unit: "count", read: ({ database }) => database.outboxDue, least: 10 },
  deadRows: {
    what: "dead rows of tables that don't grow",
    unit: "count",
    read: (sample) => sumTables(sample, false, ({ deadRows }) => deadRows),
    least: 500,
    share: 0.5,
    fromMinutes: 4,
  },
  // A table is vacuumed at a share of dead rows, so their number grows with it.
  deadShare: {
    what: "dead rows for each row of tables that grow",
    unit: "ratio",
    read: (sample) => {
      const [dead, live] = (["deadRows", "liveRows"] as const).map((rows) =>
        sumTables(sample, true, (one) => one[rows]),
      )
      return (dead ?? 0) / Math.max(live ?? 0, smallTables)
    },
    least: 0.15,
    fromMinutes: 4,
  },
  // A vacuum starts at some 500 dead rows of the outbox, and later rows reuse its emptied pages. So table and indexes grow only
  // by the rows between two vacuums. After an hour's warm-up a sound run has 2 MB, which rise by 0.2 MB. Four minutes end at the
  // first vacuum: 0.9 MB rise by 0.3 MB.
  churned: {
    what: "tables and indexes that don't grow",
    unit: "bytes",
    read: (sample) => sumTables(sample, false, sumBytes),
    least: 0.75 * mebibyte,
    share: 0.25,
    fromMinutes: 4,
  },
  kept: {
    what: "tables and indexes that keep charges and payments",
    unit: "bytes",
    read: (sample) => sumTables(sample, true, sumBytes),
    least: 4_096,
    isPerCharge: true,
    fromMinutes: 4,
  },
  // Samples of a few charges each differ by half.
  walRecords: {
    what: "records of the write-ahead log a charge",
    unit: "count",
    read: aCharge(({ database }) => database.walRecords),
    least: 0,
    share: 0.25,
    fromMinutes: 30,
  },
  // After a checkpoint each page is logged whole once, so more pages mean more whole pages per charge. The minute after it has
  // three times the bytes, which the median ignores. The 9 KB between checkpoints rise by 1.3 KB in a sound hour, and by 2.4 KB
  // on a busy machine.
  walBytes: {
    what: "bytes of the write-ahead log a charge",
    unit: "bytes",
    read: aCharge(({ database }) => database.walBytes),
    least: 4_096,
    share: 0.4,
    fromMinutes: 30,
  },
} satisfies Readonly<Record<string, Rule>>
