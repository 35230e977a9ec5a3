import { describe, expect, it } from "vitest"
import { judgeGrowth, type Point, robustSlope } from "../judge.ts"
import { rules } from "../rules.ts"
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

/** A leak for each rule. Only this rule finds it. */
const leaks: Readonly<Record<keyof typeof rules, Leak>> = {
  heap: ({ host, issued }) => void (host.heapBytes += issued * 500),
  memory: ({ host, issued }) => void (host.rssBytes += issued * 3_000),
  handles: ({ host }, minute) => void (host.handles += minute),
  descriptors: ({ host }, minute) => void (host.descriptors += minute),
  connections: ({ database }, minute) => void (database.connections += minute / 5),
  outbox: ({ database }, minute) => void (database.outboxDue += minute / 2),
  deadRows: table("deliveries", (grown, minute) => void (grown.deadRows = minute * 50)),
  deadShare: table("charges", (grown, minute) => void (grown.deadRows = minute * minute * 10)),
  churned: table("deliveries", (grown, minute) => void (grown.tableBytes *= 1 + minute / hour)),
  kept: table("charges", (grown, _, issued) => void (grown.tableBytes = issued * 7_000)),
  walRecords: ({ database }, minute) => void (database.walRecords = minute * minute * 400),
  walBytes: ({ database, issued }, minute) => void (database.walBytes += (issued * minute * 8_000) / hour / 2),
}

const newTable = table("notes", (grown, minute) => void (grown.tableBytes = minute * 2e4))

describe("the judge of a run", () => {
  it("accepts a sound run with noise and faults", () => {
    expect(broken(soundSamples)).toEqual([])
  })

  it.each([...Object.entries(leaks), ["churned", newTable] as const])("finds only a leak of %s", (name, leak) => {
    expect(broken(growSamples(leak))).toEqual([rules[name as keyof typeof rules].what])
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

it("the slope of a line isn't changed by outliers in a quarter of its points", () => {
  const points = Array.from({ length: 40 }, (_, x): Point => [x, x % 4 === 0 ? 1_000 * x : 7 + 2 * x])
  expect(robustSlope(points)).toBeCloseTo(2, 6)
})
