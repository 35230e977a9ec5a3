import { callbackFetch } from "@pixcharge/callback-fetch"
import { DueChecks, StoreUnavailable } from "@pixcharge/core"
import type { PixEvent } from "@pixcharge/core/charges"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import { afterEach, expect, it, vi } from "vitest"
import { createPix, type SandboxOptions, type SandboxPix } from "../src/index.ts"

const shop = "12345678000195"

const company = {
  cnpj: shop,
  name: "Loja",
  city: "Recife",
  pixKey: "loja@example.com",
  integratorKey: "chave da loja",
  graceDays: 5,
}

const start = (over: Partial<SandboxOptions>) =>
  createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: memoryDirectory({ companies: [company] }),
    processor: sandboxProcessor(),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
    ...over,
  })

const payOne = async (pix: SandboxPix, amountCents: number): Promise<string> => {
  const { id } = await pix.issue(shop, { id: randomUUID(), amountCents })
  await pix.simulatePayment(shop, id)
  return id
}

const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length

afterEach(() => {
  vi.useRealTimers()
})

it("runs no timer without background work, and sends waiting events once in a tick", async () => {
  const received: Array<PixEvent> = []
  await using pix = start({ background: false, onEvent: (event) => void received.push(event) })
  const before = timers()
  const id = await payOne(pix, 1)
  expect(timers()).toBeLessThanOrEqual(before)
  expect(await pix.events.backlog()).toMatchObject({ waiting: 1 })
  expect(await pix.tick({ deadlineMs: 60_000 })).toEqual({ more: false })
  expect(received).toMatchObject([{ kind: "paid", payment: { chargeId: id } }])
  expect(await pix.tick({ deadlineMs: 60_000 })).toEqual({ more: false })
  expect(received).toHaveLength(1)
  expect(timers()).toBeLessThanOrEqual(before)
})

it("finds a payment whose notice was lost, and sends its event", async () => {
  const received: Array<PixEvent> = []
  await using pix = start({ background: false, onEvent: (event) => void received.push(event) })
  const id = await payOne(pix, 1_995)
  expect(await pix.find(shop, id)).toMatchObject({ _tag: "Pending" })
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 })
  expect(await pix.tick({ deadlineMs: 60_000 })).toEqual({ more: false })
  expect(await pix.find(shop, id)).toMatchObject({ _tag: "Paid" })
  expect(received).toMatchObject([{ kind: "paid" }])
})

it("begins no work after its deadline, reports that work is left, and does it in the next ticks", async () => {
  const received: Array<string> = []
  const slow = ({ id }: PixEvent) =>
    new Promise<void>((resolve) => {
      received.push(id)
      setTimeout(resolve, 100)
    })
  await using pix = start({ background: false, onEvent: slow })
  for (let n = 0; n < 40; n++) await payOne(pix, 1)
  expect(await pix.tick({ deadlineMs: 50 })).toEqual({ more: true })
  expect(received.length).toBeLessThan(40)
  while ((await pix.tick({ deadlineMs: 1_000 })).more);
  expect(received).toHaveLength(40)
  expect(new Set(received).size).toBe(40)
  expect(await pix.events.backlog()).toEqual({ waiting: 0 })
})

it("sends each event once even during the background work and other ticks", async () => {
  const received: Array<string> = []
  await using pix = start({ onEvent: async ({ id }) => void received.push(id) })
  await Promise.all(Array.from({ length: 20 }, () => payOne(pix, 1)))
  const ticks = await Promise.all([1, 2, 3].map(() => pix.tick({ deadlineMs: 60_000 })))
  expect(ticks).toEqual([{ more: false }, { more: false }, { more: false }])
  while ((await pix.events.backlog()).waiting > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(received.toSorted()).toEqual([...new Set(received)].toSorted())
  expect(received).toHaveLength(20)
})

it("rejects if it can't read the due work, so that the cron job fails visibly", async () => {
  const broken = Layer.effect(
    DueChecks,
    Effect.map(Effect.service(DueChecks), (checks) => ({
      ...checks,
      look: () => new StoreUnavailable({ operation: "look", cause: new Error("no connection") }),
    })),
  )
  await using pix = start({ background: false, store: Layer.provideMerge(broken, memoryStore()) })
  await expect(pix.tick({ deadlineMs: 60_000 })).rejects.toMatchObject({ _tag: "StoreUnavailable" })
})

it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, undefined])("refuses a deadline of %s", async (deadlineMs) => {
  await using pix = start({ background: false })
  await expect(pix.tick({ deadlineMs: deadlineMs as number })).rejects.toThrow("milliseconds above 0")
})
