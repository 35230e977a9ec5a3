import { describe, expect, it } from "vitest"
import { judgeGrowth, type Point, robustSlope } from "../judge.ts"
import { type Rule, rules } from "../rules.ts"
import type { SoakSample, TableSample } from "../sample.ts"
import { soundSamples } from "./samples.ts"

const broken = (samples: ReadonlyArray<SoakSample>): ReadonlyArray<string> =>
  judgeGrowth(samples)
    .filter(({ holds }) => !holds)
    .map(({ rule }) => rule.what)

type Mutable<A> = { -readonly [Key in keyof A]: Mutable<A[Key]> }
type Leak = (sample: Mutable<SoakSample>, minute: number) => void

/** Adds a leak to the sound run. `minute` is the number of the sample. */
const growSamples = (leak: Leak): ReadonlyArray<SoakSample> => {
  const samples = structuredClone(soundSamples) as Array<Mutable<SoakSample>>
  for (const [index, sample] of samples.entries()) leak(sample, index)
  return samples
}

const hour = soundSamples.length

/** Makes a leak in one table of the run. */
const table =
  (name: string, grow: (table: Mutable<TableSample>, minute: number, issued: number) => void): Leak =>
  ({ database: { tables }, issued }, minute) =>
    grow((tables[name] ??= { tableBytes: 0, indexBytes: 0, liveRows: 0, deadRows: 0 }), minute, issued)

const leaks: ReadonlyArray<readonly [what: string, rule: Rule, leak: Leak]> = [
  ["500 bytes of heap a charge", rules.heap, ({ host, issued }) => void (host.heapBytes += issued * 500)],
  ["3 KB outside the heap a charge", rules.memory, ({ host, issued }) => void (host.rssBytes += issued * 3_000)],
  ["a handle a minute", rules.handles, ({ host }, minute) => void (host.handles += minute)],
  ["a file descriptor a minute", rules.descriptors, ({ host }, minute) => void (host.descriptors += minute)],
  [
    "a connection each five minutes",
    rules.connections,
    ({ database }, minute) => void (database.connections += minute / 5),
  ],
  [
    "a delivery each two minutes that stays",
    rules.outbox,
    ({ database }, minute) => void (database.outboxDue += minute / 2),
  ],
  ["dead rows that stay", rules.deadRows, table("deliveries", (grown, minute) => void (grown.deadRows = minute * 50))],
  [
    "dead rows of charges that stay",
    rules.deadShare,
    table("charges", (grown, minute) => void (grown.deadRows = minute * minute * 10)),
  ],
  [
    "tables that grow by half in an hour",
    rules.churned,
    table("deliveries", (grown, minute) => void (grown.tableBytes *= 1 + minute / hour)),
  ],
  [
    "a new table that is never purged",
    rules.churned,
    table("notes", (grown, minute) => void (grown.tableBytes = minute * 2e4)),
  ],
  [
    "more than 6 KB of tables a charge",
    rules.kept,
    table("charges", (grown, _, issued) => void (grown.tableBytes = issued * 7_000)),
  ],
  [
    "ever more records of the log",
    rules.walRecords,
    ({ database }, minute) => void (database.walRecords = minute * minute * 400),
  ],
  [
    "bytes of the log that double in an hour",
    rules.walBytes,
    ({ database, issued }, minute) => void (database.walBytes += (issued * minute * 8_000) / hour / 2),
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
    const rising = growSamples(({ host, database }, minute) => {
      host.handles = minute * 100
      database.walRecords = minute * minute * 10_000
    })
    const inSeconds = (seconds: number) =>
      rising.map((one, index) => ({ ...one, atMs: ((index + 1) * seconds * 1_000) / hour }))
    expect(broken(inSeconds(60))).toEqual([])
    expect(broken(inSeconds(120))).toEqual([rules.handles.what])
    expect(broken(inSeconds(1_800))).toEqual([rules.handles.what, rules.walRecords.what])
  })

  it("skips the warm-up", () => {
    const warming = growSamples(({ host }, minute) => void (host.heapBytes -= Math.max(15 - minute, 0) * 2_000_000))
    expect(broken(warming)).toEqual([])
  })
})

describe("the slope", () => {
  it("a line keeps its slope if a quarter of its points are outliers", () => {
    const points = Array.from({ length: 40 }, (_, x): Point => [x, x % 4 === 0 ? 1_000 * x : 7 + 2 * x])
    expect(robustSlope(points)).toBeCloseTo(2, 6)
  })

  it("one point has the slope 0", () => {
    expect(robustSlope([[1, 1]])).toBe(0)
  })
})
