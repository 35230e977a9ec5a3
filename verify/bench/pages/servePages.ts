import { checkout } from "@pixcharge/checkout"
import { ChargeStore, type SeenCharge } from "@pixcharge/core"
import { pixRouter } from "@pixcharge/express"
import { memoryStore } from "@pixcharge/store-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import express from "express"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { cnpj, openSandbox } from "../../world/sandbox.ts"
import { serveOrders } from "../../world/Worker.ts"

const maxPages = 10_000
const hourMs = 3_600_000

let lookUps = 0
const countedStore = Layer.effect(
  ChargeStore,
  Effect.map(ChargeStore, (store) => ({
    ...store,
    changed: (seen: ReadonlyArray<SeenCharge>) => (lookUps++, store.changed(seen)),
  })),
).pipe(Layer.provideMerge(memoryStore()))

const pix = openSandbox(countedStore, {
  checkout: checkout({ url: "http://127.0.0.1", maxStreams: 2 * maxPages }),
  background: false,
})

const ids: Array<string> = []

const orders = {
  start: async (pages: number): Promise<{ readonly port: number; readonly paths: ReadonlyArray<string> }> => {
    const paths: Array<string> = []
    for (let index = 0; index < pages; index++) {
      const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1990, payableForSeconds: 24 * 3_600 })
      const link = await pix.checkout.link(cnpj, id, { expiresAt: pix.clock.now() + 48 * hourMs })
      ids.push(id)
      paths.push(new URL(link).pathname)
    }
    const server = createServer(express().use(pixRouter(pix))).listen(0, "127.0.0.1", 1_024)
    await once(server, "listening")
    return { port: (server.address() as AddressInfo).port, paths }
  },
  rssBytes: (): number => {
    globalThis.gc?.()
    return process.memoryUsage().rss
  },
  lookUps: (): number => lookUps,
  pay: async (count: number): Promise<number> => {
    for (const id of ids.splice(0, count)) await pix.simulatePayment(cnpj, id)
    return Date.now()
  },
  /** Moves business time until all unpaid charges have expired. Returns when it began. */
  expire: async (): Promise<number> => {
    const at = Date.now()
    await pix.clock.advance("25 hours")
    return at
  },
}

export type PagesOrders = typeof orders

serveOrders(orders)
