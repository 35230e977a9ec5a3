import { describe, expect, it } from "vitest"
import { judge } from "../judge.ts"
import { type Rule, rules } from "../rules.ts"
import type { SoakSample } from "../runSoak.ts"
import type { TableSample } from "../sampleDatabase.ts"
import { soundSamples } from "./samples.ts"

const broken = (samples: ReadonlyArray<SoakSample>): ReadonlyArray<string> =>
  judge(samples)
    .filter(({ holds }) => !holds)
    .map(({ rule }) => rule.what)

type Mutable<A> = { -readonly [Key in keyof A]: Mutable<A[Key]> }
type Leak = (sample: Mutable<SoakSample>, at: number) => void

/** Adds a leak to the sound run. `at` is the number of the sample. */
const growSamples = (leak: Leak): ReadonlyArray<SoakSample> => {
  const samples = structuredClone(soundSamples) as Array<Mutable<SoakSample>>
  for (const [at, sample] of samples.entries()) leak(sample, at)
  return samples
}

const hour = soundSamples.length

/** Makes a leak in one table of the run. */
const table =
  (name: string, grow: (table: Mutable<TableSample>, at: number, issued: number) => void): Leak =>
  ({ database: { tables }, load }, at) =>
    grow((tables[name] ??= { tableBytes: 0, indexBytes: 0, liveRows: 0, deadRows: 0 }), at, load.issued)

const leaks: ReadonlyArray<readonly [what: string, rule: Rule, leak: Leak]> = [
  ["500 bytes of heap a charge", rules.heap, ({ host, load }) => void (host.heapBytes += load.issued * 500)],
  ["3 KB outside the heap a charge", rules.memory, ({ host, load }) => void (host.rssBytes += load.issued * 3_000)],
  ["a handle a minute", rules.handles, ({ host }, at) => void (host.handles += at)],
  ["a file descriptor a minute", rules.descriptors, ({ host }, at) => void (host.descriptors += at)],
  ["a connection each five minutes", rules.connections, ({ database }, at) => void (database.connections += at / 5)],
  ["a delivery each two minutes that stays", rules.outbox, ({ database }, at) => void (database.outboxDue += at / 2)],
  ["dead rows that stay", rules.deadRows, table("deliveries", (grown, at) => void (grown.deadRows = at * 50))],
  [
    "dead rows of charges that stay",
    rules.deadShare,
    table("charges", (grown, at) => void (grown.deadRows = at * at * 10)),
  ],
  [
    "tables that grow by half in an hour",
    rules.churned,
    table("deliveries", (grown, at) => void (grown.tableBytes *= 1 + at / hour)),
  ],
  [
    "a new table that is never purged",
    rules.churned,
    table("notes", (grown, at) => void (grown.tableBytes = at * 2e4)),
  ],
  [
    "more than 4 KB of tables a charge",
    rules.kept,
    table("charges", (grown, _, issued) => void (grown.tableBytes = issued * 5_000)),
  ],
  ["ever more records of the log", rules.walRecords, ({ database }, at) => void (database.walRecords = at * at * 400)],
  [
    "bytes of the log that double in an hour",
    rules.walBytes,
    ({ database, load }, at) => void (database.walBytes += (load.issued * at * 8_000) / hour / 2),
  ],
]

describe("the judge of a run", () => {
  it("accepts a sound run with noise and faults", () => {
    expect(broken(soundSamples)).toEqual([])
  })

  it.each(leaks)("finds only %s", (_, { what }, leak) => {
    expect(broken(growSamples(leak))).toEqual([what])
  })

  it("skips rules that need a longer run", () => {
    const rising = growSamples(({ host, database }, at) => {
      host.handles = at * 100
      database.walRecords = at * at * 10_000
    })
    const inSeconds = (seconds: number) =>
      rising.map((one, index) => ({ ...one, atMs: ((index + 1) * seconds * 1_000) / hour }))
    expect(broken(inSeconds(60))).toEqual([])
    expect(broken(inSeconds(120))).toEqual([rules.handles.what])
    expect(broken(inSeconds(1_800))).toEqual([rules.handles.what, rules.walRecords.what])
  })

  it("skips the warm-up", () => {
    const warming = growSamples(({ host }, at) => void (host.heapBytes -= Math.max(15 - at, 0) * 2_000_000))
    expect(broken(warming)).toEqual([])
  })
})
