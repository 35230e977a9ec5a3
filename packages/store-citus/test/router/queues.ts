import type { LeasedQueue, Settlement } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import type { Statement } from "@pixcharge/store-postgres"
import { aTestEvent, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import { until } from "@pixcharge/verify/postgres"
import type { openRouted } from "./openRouted.ts"

type Opened = Pick<Awaited<ReturnType<typeof openRouted>>, "outbox">

export const now = fixtureNow + 1_000
export const request = { now, limit: 100, deliveries: 10, leaseMs: 60_000 }

export const queueEvent = async ({ outbox }: Opened, issuer: Cnpj, at = fixtureNow) => {
  const event = aTestEvent({ issuer })
  await Effect.runPromise(outbox.add({ event, endpointId: "loja" }, at))
  return event
}

export const claimQueues = async ({ outbox }: Opened, overrides: Partial<typeof request> = {}) =>
  (await Effect.runPromise(outbox.claim({ ...request, ...overrides }))).queues

export const listIssuers = (queues: ReadonlyArray<LeasedQueue>): ReadonlyArray<Cnpj> =>
  queues.map(({ lease }) => lease.issuer)

/** Claims until a company's queue is returned; returns the companies of all returned queues. */
export const claimUntil = async (opened: Opened, issuer: Cnpj): Promise<ReadonlyArray<Cnpj>> => {
  const issuers: Array<Cnpj> = []
  await until(async () => {
    issuers.push(...listIssuers(await claimQueues(opened)))
    return issuers.includes(issuer)
  })
  return issuers
}

export const leaseQueues = async (
  opened: Opened,
  issuers: ReadonlyArray<Cnpj>,
  { leaseMs = request.leaseMs, each = 1 } = {},
) => {
  for (const issuer of issuers) for (let index = 0; index < each; index++) await queueEvent(opened, issuer)
  const queues = await claimQueues(opened, { leaseMs })
  return (issuer: Cnpj): LeasedQueue => {
    const queue = queues.find(({ lease }) => lease.issuer === issuer)
    if (queue === undefined) throw new Error("expected a queue of the company")
    return queue
  }
}

export const makeSettlement = ({ lease, due }: LeasedQueue, at = 0): Settlement => {
  const one = due[at]
  if (one === undefined) throw new Error("expected a due item")
  const attempt = { startedAt: now, latencyMs: 1, status: 200 }
  return { lease, eventId: one.event.id, number: 1, fate: { _tag: "Delivered" }, attempt }
}

export const isSettled = async ({ outbox }: Opened, { lease, eventId }: Settlement): Promise<boolean> =>
  (await Effect.runPromise(outbox.attempts(lease.issuer, eventId, lease.endpointId))).length > 0

export const settles = ({ text }: Statement): boolean => /INSERT INTO \S+settled_deliveries/.test(text)
