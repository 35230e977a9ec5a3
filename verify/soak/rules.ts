import type { SoakSample, TableSample } from "./sample.ts"

/** A quantity that must not rise after the warm-up. */
export interface Rule {
  readonly what: string
  readonly unit: "bytes" | "count" | "ratio"
  readonly read: (sample: SoakSample, before: SoakSample) => number
  /** The rise that is always allowed from the end of the warm-up to the end of the run. */
  readonly least: number
  readonly share?: number
  readonly isPerCharge?: true
  /**
   * The minimum minutes of a run for this rule; two by default. In shorter runs the noise is as large as the allowed
   * rise.
   */
  readonly fromMinutes?: number
}

const mebibyte = 1_048_576

/** The tables whose rows stay. They grow with each charge. */
const keeping = new Set([
  "charges",
  "charge_texts",
  "payments",
  "payment_owners",
  "returns",
  "partial_refunds",
  "settled_deliveries",
  "audit_log",
])

const sumTables = ({ database }: SoakSample, isKeeping: boolean, read: (table: TableSample) => number): number =>
  Object.entries(database.tables)
    .filter(([name]) => keeping.has(name) === isKeeping)
    .reduce((sum, [, table]) => sum + read(table), 0)

const sumBytes = ({ tableBytes, indexBytes }: TableSample): number => tableBytes + indexBytes

/** The growth of a quantity between two samples, per charge issued between them. */
const aCharge =
  (read: (sample: SoakSample) => number): Rule["read"] =>
  (sample, before) =>
    (read(sample) - read(before)) / Math.max(sample.issued - before.issued, 1)

/** Tables with fewer rows are vacuumed at a fixed number of dead rows, larger tables at a share of dead rows. */
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
  // On a slower machine more requests are under way.
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
  // A growing table is vacuumed at a share of dead rows, so their number grows with the table.
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
  // A vacuum starts at some 500 dead rows of the outbox, and later rows reuse the emptied pages. So table and indexes
  // hold only the rows between two vacuums: in a sound run of four minutes 0.6 MB, which rise by 0.1 MB.
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
    least: 6 * 1_024,
    isPerCharge: true,
    fromMinutes: 4,
  },
  // If samples have only a few charges each, their figures differ by half.
  walRecords: {
    what: "records of the write-ahead log a charge",
    unit: "count",
    read: aCharge(({ database }) => database.walRecords),
    least: 0,
    share: 0.25,
    fromMinutes: 30,
  },
  // After a checkpoint each changed page is logged whole once, so a larger table logs more whole pages per charge. The
  // minute after a checkpoint has three times the bytes, which the median ignores.
  walBytes: {
    what: "bytes of the write-ahead log a charge",
    unit: "bytes",
    read: aCharge(({ database }) => database.walBytes),
    least: 4_096,
    share: 0.4,
    fromMinutes: 30,
  },
} satisfies Readonly<Record<string, Rule>>
