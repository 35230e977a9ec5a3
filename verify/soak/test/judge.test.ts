import { describe, expect, it } from "vitest"
import { judge } from "../judge.ts"
import { type Rule, rules } from "../rules.ts"
import type { SoakSample } from "../runSoak.ts"
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

const grownTable = (sample: SoakSample, name: string, part: Partial<SoakSample["database"]["tables"][string]>) => ({
  database: { tables: { ...sample.database.tables, [name]: { ...tableOf(sample, "deliveries"), ...part } } },
})

const bloat = (sample: SoakSample, by: number) => {
  const { tableBytes, indexBytes } = tableOf(sample, "deliveries")
  return grownTable(sample, "deliveries", { tableBytes: tableBytes * by, indexBytes: indexBytes * by })
}

const hour = soundSamples.length

/** What grows, and the rule that must find it. */
const leaks: ReadonlyArray<readonly [what: string, rule: Rule, leak: Parameters<typeof growing>[0]]> = [
  [
    "500 bytes of heap a charge",
    rules.heap,
    ({ host, load }) => ({ host: { heapBytes: host.heapBytes + load.issued * 500 } }),
  ],
  [
    "3 KB beside the heap a charge",
    rules.memory,
    ({ host, load }) => ({ host: { rssBytes: host.rssBytes + load.issued * 3_000 } }),
  ],
  ["a handle a minute", rules.handles, ({ host }, at) => ({ host: { handles: host.handles + at } })],
  [
    "a file descriptor a minute",
    rules.descriptors,
    ({ host }, at) => ({ host: { descriptors: host.descriptors + at } }),
  ],
  [
    "a connection each five minutes",
    rules.connections,
    ({ database }, at) => ({ database: { connections: database.connections + Math.floor(at / 5) } }),
  ],
  [
    "a delivery each two minutes that nobody sends",
    rules.outbox,
    ({ database }, at) => ({ database: { outboxDue: database.outboxDue + Math.floor(at / 2) } }),
  ],
  [
    "dead rows that are never vacuumed",
    rules.deadRows,
    (sample, at) => grownTable(sample, "deliveries", { deadRows: at * 50 }),
  ],
  [
    "dead rows of charges that are never vacuumed",
    rules.deadShare,
    (sample, at) => ({
      database: {
        tables: { ...sample.database.tables, charges: { ...tableOf(sample, "charges"), deadRows: at * at * 10 } },
      },
    }),
  ],
  ["tables that grow by half in an hour", rules.churned, (sample, at) => bloat(sample, 1 + at / hour / 2)],
  [
    "a new table that nobody purges",
    rules.churned,
    (sample, at) => grownTable(sample, "notes", { tableBytes: at * 20_000 }),
  ],
  [
    "more than 4 KB of tables a charge",
    rules.kept,
    (sample) => ({
      database: {
        tables: {
          ...sample.database.tables,
          charges: { ...tableOf(sample, "charges"), tableBytes: sample.load.issued * 5_000 },
        },
      },
    }),
  ],
  ["ever more records of the log a charge", rules.walRecords, (_, at) => ({ database: { walRecords: at * at * 400 } })],
  [
    "a charge's bytes of the log that double in an hour",
    rules.walBytes,
    ({ database, load }, at) => ({ database: { walBytes: database.walBytes + (load.issued * at * 8_000) / hour / 2 } }),
  ],
]

describe("the judge of a run", () => {
  it("finds nothing in a run that is sound, whatever its noise and its faults", () => {
    expect(broken(soundSamples)).toEqual([])
  })

  it.each(leaks)("finds %s, and nothing else", (_, { what }, leak) => {
    expect(broken(growing(leak))).toEqual([what])
  })

  it("does not judge what a run is too short to show", () => {
    const rising = growing((_, at) => ({ host: { handles: at * 100 }, database: { walRecords: at * at * 10_000 } }))
    const inSeconds = (seconds: number) =>
      rising.map((one, at) => ({ ...one, atMs: ((at + 1) * seconds * 1_000) / hour }))
    expect(broken(inSeconds(60))).toEqual([])
    expect(broken(inSeconds(120))).toEqual([rules.handles.what])
    expect(broken(inSeconds(1_800))).toEqual([rules.handles.what, rules.walRecords.what])
  })

  it("does not judge what a run does while it gets warm", () => {
    const warming = growing(({ host }, at) => ({
      host: { heapBytes: host.heapBytes - Math.max(15 - at, 0) * 2_000_000 },
    }))
    expect(broken(warming)).toEqual([])
  })
})
