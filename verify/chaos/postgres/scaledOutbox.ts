import type { Outbox } from "@pixcharge/core"

/** Queues are leased on the database's clock, which runs in real time: a lease is as many times shorter as business time is faster. */
export const scaledOutbox = (outbox: Outbox["Service"], speed: number): Outbox["Service"] => ({
  ...outbox,
  claim: (request) => outbox.claim({ ...request, leaseMs: request.leaseMs / speed }),
  renew: (leases, leaseMs) => outbox.renew(leases, leaseMs / speed),
  release: (leases, restMs = 0) => outbox.release(leases, restMs / speed),
})
