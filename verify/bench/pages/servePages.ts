import { callbackFetch } from "@pixcharge/callback-fetch"
import { checkout } from "@pixcharge/checkout"
import { ChargeStore, type SeenCharge } from "@pixcharge/core"
import { createPix } from "@pixcharge/embed"
import { pixRouter } from "@pixcharge/express"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import express from "express"
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** What the process is asked. */
export type PagesOrder =
  | { readonly _tag: "Memory" }
  /** Pays so many of the charges. */
  | { readonly _tag: "Pay"; readonly count: number }
  /** Moves business time on to when all that are unpaid have expired. */
  | { readonly _tag: "Expire" }

/** What it answers, with the number of look-ups of the store so far. */
export interface PagesAnswer {
  readonly port?: number
  readonly paths?: ReadonlyArray<string>
  readonly rssBytes: number
  /** What is in use of the JavaScript heap, once what is unused was collected. */
  readonly heapBytes: number
  readonly lookUps: number
  /** Epoch milliseconds at which the last payment had been made, or the clock was moved. */
  readonly at: number
}

const cnpj = "12345678000195"
const company = {
  cnpj,
  name: "Empresa",
  city: "Brasília",
  pixKey: "a@example.com",
  integratorKey: "chave do banco de provas",
  graceDays: 5,
}
const hourMs = 3_600_000

let lookUps = 0
const countedStore = Layer.effect(
  ChargeStore,
  Effect.map(ChargeStore, (store) => ({
    ...store,
    changed: (seen: ReadonlyArray<SeenCharge>) => (lookUps++, store.changed(seen)),
  })),
).pipe(Layer.provideMerge(memoryStore()))

const pages = Number(process.argv[2])
const pix = createPix({
  environment: "sandbox",
  store: countedStore,
  directory: memoryDirectory({ companies: [company] }),
  processor: sandboxProcessor(),
  callbacks: callbackFetch(),
  tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
  checkout: checkout({ url: "http://127.0.0.1", mostStreams: pages }),
  background: false,
})

const ids: Array<string> = []
const paths: Array<string> = []
for (let at = 0; at < pages; at++) {
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1990, payableForSeconds: 24 * 3_600 })
  const link = await pix.checkout.link(cnpj, id, { expiresAt: pix.clock.now() + 48 * hourMs })
  ids.push(id)
  paths.push(new URL(link).pathname)
}

const server = createServer(express().use(pixRouter(pix))).listen(0, "127.0.0.1", 1_024)
await new Promise((resolve) => server.once("listening", resolve))

const answer = (more: Partial<PagesAnswer> = {}): void => {
  globalThis.gc?.()
  const { rss: rssBytes, heapUsed: heapBytes } = process.memoryUsage()
  process.send?.({ rssBytes, heapBytes, lookUps, at: Date.now(), ...more } satisfies PagesAnswer)
}

const carryOut = async (order: PagesOrder): Promise<void> => {
  if (order._tag === "Pay") {
    const paid = ids.splice(0, order.count)
    for (const id of paid) await pix.simulatePayment(cnpj, id)
  }
  const at = Date.now()
  if (order._tag === "Expire") await pix.clock.advance("25 hours")
  answer({ at })
}

process.on("message", (order: PagesOrder) => void carryOut(order))
process.on("disconnect", () => process.exit())
answer({ port: (server.address() as AddressInfo).port, paths })
