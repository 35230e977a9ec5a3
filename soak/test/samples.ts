import { operations, type Quantiles } from "../src/measure/Latencies.ts"
import type { SoakSample } from "../src/SoakResults.ts"

const mebibyte = 1_048_576
const quantiles: Quantiles = { count: 100, p50: 12, p99: 80, p999: 140, max: 200 }

/** The same for each operation. */
export const eachOperation = <A>(value: A) =>
  Object.fromEntries(Object.keys(operations).map((name) => [name, value])) as Record<keyof typeof operations, A>

/** What a sample of a sound run has, by the number of charges so far; `wave` goes up and down between -1 and 1. */
const soundSample = (atMs: number, issued: number, wave: number): SoakSample => {
  const table = (rows: number, bytes: number) => ({
    tableBytes: rows * bytes,
    indexBytes: rows * bytes,
    liveRows: rows,
    deadRows: Math.round(rows * 0.1 * (1 + 0.5 * wave)),
  })
  return {
    atMs,
    host: {
      heapBytes: 32 * mebibyte + wave * mebibyte,
      rssBytes: 140 * mebibyte + wave * 4 * mebibyte,
      handles: 50 + Math.round(8 * wave),
      descriptors: 60 + Math.round(8 * wave),
      cpuMs: issued * 20,
    },
    database: {
      connections: 7 + Math.round(3 * wave),
      walBytes: issued * 20_000,
      walRecords: issued * 60,
      outboxRows: 20 + Math.round(10 * wave),
      outboxDue: Math.max(Math.round(3 * wave), 0),
      tables: { charges: table(issued, 300), deliveries: table(100, 2_000) },
    },
    load: {
      issued,
      paid: issued,
      repeats: 0,
      openPages: 12,
      violations: 0,
      window: eachOperation(quantiles),
    },
    machineLoad: 2,
  }
}

/** Samples of a run in which nothing grows that must not: one a minute for an hour, with noise, and faults now and then. */
export const soundSamples: ReadonlyArray<SoakSample> = Array.from({ length: 60 }, (_, at) => {
  const sound = soundSample((at + 1) * 60_000, (at + 1) * 240, Math.sin(at * 1.7))
  if (at % 7 !== 0) return sound
  const { host, database } = sound
  return { ...sound, host: { ...host, handles: 400 }, database: { ...database, connections: 0, outboxDue: 90 } }
})

/** Quantiles of a whole run. */
export const measured = { all: eachOperation(quantiles), calm: eachOperation(quantiles) }
