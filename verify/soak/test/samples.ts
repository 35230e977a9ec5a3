import type { SoakSample } from "../sample.ts"

const mebibyte = 1_048_576
const chargesAMinute = 240

/**
 * The bytes of the write-ahead log after this many minutes. A checkpoint every five minutes adds to them, and so do
 * growing tables: a quarter in an hour.
 */
const walBytesAfter = (minutes: number): number =>
  Array.from({ length: minutes }, (_, minute) => (minute % 5 === 0 ? 24_000 : 8_000) * (1 + minute / 240)).reduce(
    (sum, aCharge) => sum + aCharge * chargesAMinute,
    0,
  )

/** The bytes of tables that don't grow. They reach their size gradually. */
const churnedBytesAfter = (minutes: number): number => mebibyte * (2.4 - Math.exp(-minutes / 20))

/** A sample of a sound run after this many minutes; `wave` oscillates between -1 and 1. */
const soundSample = (minutes: number, wave: number): SoakSample => {
  const issued = minutes * chargesAMinute
  const table = (rows: number, bytes: number) => ({
    tableBytes: bytes,
    indexBytes: bytes,
    liveRows: rows,
    deadRows: Math.round(rows * 0.1 * (1 + 0.5 * wave)),
  })
  return {
    atMs: minutes * 60_000,
    host: {
      heapBytes: 32 * mebibyte + wave * mebibyte,
      rssBytes: 140 * mebibyte + wave * 4 * mebibyte,
      handles: 50 + Math.round(8 * wave),
      descriptors: 60 + Math.round(8 * wave),
    },
    database: {
      connections: 7 + Math.round(3 * wave),
      walBytes: walBytesAfter(minutes),
      walRecords: issued * 60,
      outboxDue: Math.max(Math.round(3 * wave), 0),
      tables: { charges: table(issued, issued * 300), deliveries: table(100, churnedBytesAfter(minutes) / 2) },
    },
    issued,
  }
}

/** Samples of a sound run: one a minute for an hour, with noise and occasional faults. */
export const soundSamples: ReadonlyArray<SoakSample> = Array.from({ length: 60 }, (_, index) => {
  const sound = soundSample(index + 1, Math.sin(index * 1.7))
  if (index % 7 !== 0) return sound
  const { host, database } = sound
  return { ...sound, host: { ...host, handles: 400 }, database: { ...database, connections: 0, outboxDue: 90 } }
})
