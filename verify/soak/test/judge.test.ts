import { describe, expect, it } from "vitest"
import { judge } from "../judge/judge.ts"
import * as rules from "../judge/rules.ts"
import type { SoakSample } from "../SoakResults.ts"
import { soundSamples } from "./samples.ts"

const broken = (samples: ReadonlyArray<SoakSample>): ReadonlyArray<string> =>
  judge(samples)
    .filter(({ holds }) => !holds)
    .map(({ rule }) => rule.what)

type HostPart = Partial<SoakSample["host"]>
type DatabasePart = Partial<SoakSample["database"]>

/** The sound run, with something that grows: `at` is the number of the sample. */
const growing = (of: (sample: SoakSample, at: number) => { host?: HostPart; database?: DatabasePart }) =>
  soundSamples.map((sample, at): SoakSample => {
    const { host, database } = of(sample, at)
    return { ...sample, host: { ...sample.host, ...host }, database: { ...sample.database, ...database } }
  })

const tableOf = ({ database }: SoakSample, name: string) => {
  const table = database.tables[name]
  if (table === undefined) throw new Error(`there is no ${name}`)
  return table
}

const leaks: ReadonlyArray<readonly [what: string, rule: string, samples: ReadonlyArray<SoakSample>]> = [
  [
    "500 bytes of heap a charge",
    rules.heap.what,
    growing(({ host, load }) => ({ host: { heapBytes: host.heapBytes + load.issued * 500 } })),
  ],
  [
    "3 KB of memory outside of the heap a charge",
    rules.memory.what,
    growing(({ host, load }) => ({ host: { rssBytes: host.rssBytes + load.issued * 3_000 } })),
  ],
  ["a handle a minute", rules.handles.what, growing(({ host }, at) => ({ host: { handles: host.handles + at } }))],
  [
    "a file descriptor a minute",
    rules.descriptors.what,
    growing(({ host }, at) => ({ host: { descriptors: host.descriptors + at } })),
  ],
  [
    "a connection each five minutes",
    rules.connections.what,
    growing(({ database }, at) => ({ database: { connections: database.connections + Math.floor(at / 5) } })),
  ],
  [
    "a delivery each two minutes that nobody sends",
    rules.outbox.what,
    growing(({ database }, at) => ({ database: { outboxDue: database.outboxDue + Math.floor(at / 2) } })),
  ],
  [
    "dead rows that are never vacuumed",
    rules.deadRows.what,
    growing((sample, at) => ({
      database: {
        tables: { ...sample.database.tables, deliveries: { ...tableOf(sample, "deliveries"), deadRows: at * 50 } },
      },
    })),
  ],
  [
    "tables that grow by half in an hour",
    rules.churned.what,
    growing((sample, at) => {
      const deliveries = tableOf(sample, "deliveries")
      const bloat = 1 + at / soundSamples.length / 2
      const bloated = { tableBytes: deliveries.tableBytes * bloat, indexBytes: deliveries.indexBytes * bloat }
      return { database: { tables: { ...sample.database.tables, deliveries: { ...deliveries, ...bloated } } } }
    }),
  ],
  [
    "a new table that nobody purges",
    rules.churned.what,
    growing((sample, at) => ({
      database: {
        tables: { ...sample.database.tables, notes: { ...tableOf(sample, "deliveries"), tableBytes: at * 20_000 } },
      },
    })),
  ],
  [
    "more than 4 KB of tables a charge",
    rules.kept.what,
    growing((sample) => ({
      database: {
        tables: {
          ...sample.database.tables,
          charges: { ...tableOf(sample, "charges"), tableBytes: sample.load.issued * 5_000 },
        },
      },
    })),
  ],
  [
    "ever more records of the log a charge",
    rules.walRecords.what,
    growing((_, at) => ({ database: { walRecords: at * at * 400 } })),
  ],
  [
    "a charge's bytes of the log that double in an hour",
    rules.walBytes.what,
    growing(({ database, load }, at) => ({
      database: { walBytes: database.walBytes + (load.issued * at * 8_000) / soundSamples.length / 2 },
    })),
  ],
]

describe("the judge of a run", () => {
  it("finds nothing in a run that is sound, whatever its noise and its faults", () => {
    expect(broken(soundSamples)).toEqual([])
  })

  it.each(leaks)("finds %s, and nothing else", (_, rule, samples) => {
    expect(broken(samples)).toEqual([rule])
  })

  it("does not judge what a run does while it gets warm", () => {
    const warming = growing(({ host }, at) => ({
      host: { heapBytes: host.heapBytes - Math.max(15 - at, 0) * 2_000_000 },
    }))
    expect(broken(warming)).toEqual([])
  })
})
