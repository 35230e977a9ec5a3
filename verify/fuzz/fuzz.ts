import type { StorePorts } from "@pixcharge/core"
import { memoryStore } from "@pixcharge/store-memory"
import type * as Layer from "effect/Layer"
import { makeClient, Unanswered } from "./Client.ts"
import { openEvidence } from "./Evidence.ts"
import type { FuzzRequest } from "./FuzzRequest.ts"
import { generate } from "./generate.ts"
import { heapBytes } from "./heapBytes.ts"
import { startHost } from "./Host.ts"
import { makeJudge } from "./judge.ts"
import { preparation } from "./preparation.ts"

export interface FuzzOptions {
  readonly seed: number
  readonly from: number
  readonly count: number
  readonly store?: Layer.Layer<StorePorts, unknown>
  /** Called before each batch with the number of its first request. */
  readonly onBegin?: (number: number) => void
}

export interface Finding {
  readonly says: string
  readonly from: number
  readonly count: number
}

export const batchSize = 32

/** How many bytes each request may leave in memory, in addition to `keptBytes` for a third of a run. */
const keptBytesEach = 256
const keptBytes = 3 * 1_024 * 1_024
/** With fewer requests in a third of the run, newly compiled code dominates the growth. */
const minForMemory = 3_000

type Client = Awaited<ReturnType<typeof makeClient>>
type Judge = ReturnType<typeof makeJudge>

const findFlaw = async (client: Client, judge: Judge, ...requests: ReadonlyArray<FuzzRequest>) => {
  try {
    for (const request of requests) {
      const flaws = (await client.send(request)).map(({ answer, request: asked }) => judge(answer, asked))
      const flaw = flaws.find((one) => one !== undefined)
      if (flaw !== undefined) return flaw
    }
    return undefined
  } catch (error) {
    if (error instanceof Unanswered) return error.message
    throw error
  }
}

/** Sends the requests from `from` on to pixcharge behind each binding. Returns the first finding. */
export const fuzz = async ({ seed, from, count, store, onBegin }: FuzzOptions): Promise<Finding | undefined> => {
  const evidence = openEvidence()
  const host = await startHost(store ?? memoryStore(), evidence)
  const client = await makeClient(host)
  const judge = makeJudge()

  const sendBatch = async (first: number, size: number): Promise<Finding | undefined> => {
    onBegin?.(first)
    const numbers = Array.from({ length: size }, (_, index) => first + index)
    const flaws = await Promise.all(numbers.map((number) => findFlaw(client, judge, generate(seed, number))))
    const index = flaws.findIndex((flaw) => flaw !== undefined)
    if (index >= 0) return { says: flaws[index] ?? "", from: first + index, count: 1 }
    const [written] = evidence.take()
    return written === undefined ? undefined : { says: `a canary was written to ${written}`, from: first, count: size }
  }

  const sendThird = async (first: number, end: number): Promise<Finding | undefined> => {
    for (let number = first; number < end; number += batchSize) {
      const finding = await sendBatch(number, Math.min(batchSize, end - number))
      if (finding !== undefined) return finding
    }
    host.readMetrics()
    const [written] = evidence.take()
    return written === undefined ? undefined : { says: `a canary is in ${written}`, from, count: end - from }
  }

  const sendAll = async (): Promise<Finding | undefined> => {
    const flaws = await Promise.all(preparation().map((requests) => findFlaw(client, judge, ...requests)))
    const unprepared = flaws.find((flaw) => flaw !== undefined)
    if (unprepared !== undefined) return { says: `before the first request: ${unprepared}`, from, count: 1 }
    const ends = [1, 2, 3].map((third) => from + Math.ceil((count * third) / 3))
    const heaps: Array<number> = []
    for (const [third, end] of ends.entries()) {
      const finding = await sendThird(ends[third - 1] ?? from, end)
      if (finding !== undefined) return finding
      heaps.push(await heapBytes())
    }
    const [, before = 0, after = 0] = heaps
    const sent = count / 3
    const isGrown = sent >= minForMemory && after - before > keptBytes + sent * keptBytesEach
    return isGrown
      ? { says: `${after - before} bytes were kept of ${Math.floor(sent)} requests`, from, count }
      : undefined
  }

  try {
    return await sendAll()
  } finally {
    client.close()
    await host.close()
    evidence.close()
  }
}
