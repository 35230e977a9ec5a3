import type { DeliveryKey, QueueClaim, QueueLease, Settlement } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import type { StoreCall } from "./describeWrite.ts"
import { reportIf } from "./rules.ts"

type Queue = Pick<DeliveryKey, "issuer" | "endpointId">

const queueKey = ({ issuer, endpointId }: Queue): string => `${issuer} ${endpointId}`

interface Lease {
  readonly token: string
  readonly by: string
  /** Epoch milliseconds. */
  readonly until: number
  readonly isReleased?: boolean
}

export class Leases {
  #last: ReadonlyMap<string, Lease> = new Map()
  /** The number of each delivery's last settled attempt. */
  readonly #settled = new Map<string, number>()

  /** The current leases. A call that arrives now can settle only under one of them. */
  get last(): ReadonlyMap<string, Lease> {
    return this.#last
  }

  /** How many times another process claimed each queue, or any process after the lease had expired. */
  readonly #turns = new Map<string, number>()

  setBack(): void {
    this.#last = new Map()
    this.#settled.clear()
  }

  holds(by: string, queue: Queue, now: number): boolean {
    const lease = this.#last.get(queueKey(queue))
    return lease?.by === by && lease.until >= now
  }

  /** The queue's turn. It changes when another process claims the queue, or any process after the lease has expired. */
  turn(queue: Queue): number {
    return this.#turns.get(queueKey(queue)) ?? 0
  }

  judgeCall(
    { port, method, args, answer }: StoreCall,
    before: ReadonlyMap<string, Lease>,
    by: string,
    now: number,
  ): ReadonlyArray<string> {
    if (port !== "outbox") return []
    switch (method) {
      case "claim":
        return this.#judgeClaim(answer as QueueClaim, by, now, args[0] as { readonly leaseMs: number })
      case "renew":
        return this.#extend(args[0] as ReadonlyArray<QueueLease>, now + (args[1] as number), answer as Array<string>)
      case "release":
        return this.#extend(
          args[0] as ReadonlyArray<QueueLease>,
          now + ((args[1] as number | undefined) ?? 0),
          [],
          true,
        )
      case "settle": {
        const settlements = args[0] as ReadonlyArray<Settlement>
        const released = settlements.filter(({ releases }) => releases).map(({ lease }) => lease)
        this.#extend(released, now, [], true)
        return this.#settle(settlements, answer as ReadonlyArray<DeliveryKey>, before)
      }
      case "replay":
        for (const key of this.#settled.keys()) if (key.startsWith(args[0] as Cnpj)) this.#settled.delete(key)
    }
    return []
  }

  #judgeClaim(
    { queues }: QueueClaim,
    by: string,
    now: number,
    { leaseMs }: { readonly leaseMs: number },
  ): ReadonlyArray<string> {
    const taken = queues.filter(({ lease }) => now < (this.#last.get(queueKey(lease))?.until ?? 0))
    for (const { lease } of queues) {
      const { by: before, until, isReleased = false } = this.#last.get(queueKey(lease)) ?? { until: 0 }
      const hasRunOut = !isReleased && until <= now
      if (before !== by || hasRunOut) this.#turns.set(queueKey(lease), this.turn(lease) + 1)
    }
    const claimed = queues.map(
      ({ lease }) => [queueKey(lease), { token: lease.token, by, until: now + leaseMs }] as const,
    )
    this.#last = new Map([...this.#last, ...claimed])
    return taken.map(({ lease }) => `the queue ${queueKey(lease)} was claimed while another process held it`)
  }

  /** Extends leases. Other processes must not have claimed the leases that the store confirms. */
  #extend(
    leases: ReadonlyArray<QueueLease>,
    until: number,
    held: ReadonlyArray<string> = [],
    isReleased = false,
  ): ReadonlyArray<string> {
    const isLast = (lease: QueueLease): boolean => this.#last.get(queueKey(lease))?.token === lease.token
    const ours = leases.filter(isLast)
    this.#last = new Map([
      ...this.#last,
      ...ours.map(
        (lease) => [queueKey(lease), { ...(this.#last.get(queueKey(lease)) as Lease), until, isReleased }] as const,
      ),
    ])
    return leases.flatMap((lease) =>
      reportIf(
        held.includes(lease.token) && !isLast(lease),
        `${queueKey(lease)} was renewed, but another process has claimed it`,
      ),
    )
  }

  #settle(
    given: ReadonlyArray<Settlement>,
    settled: ReadonlyArray<DeliveryKey>,
    before: ReadonlyMap<string, Lease>,
  ): ReadonlyArray<string> {
    const holds = ({ lease }: Settlement): boolean =>
      (before.get(queueKey(lease))?.token ?? lease.token) === lease.token
    const left = new Set(given)
    return settled.flatMap((key) => {
      const queue = queueKey(key)
      const its = [...left].filter(({ lease, eventId }) => eventId === key.eventId && queueKey(lease) === queue)
      // A batch can also have a settlement under a lost lease.
      const counted = its.find(holds) ?? its[0]
      if (counted === undefined) return []
      left.delete(counted)
      const { eventId, number } = counted
      const last = this.#settled.get(`${queue} ${eventId}`) ?? number - 1
      this.#settled.set(`${queue} ${eventId}`, number)
      return [
        ...reportIf(!holds(counted), `a settlement counted in the queue ${queue}, which another process had claimed`),
        ...reportIf(number !== last + 1, `attempt ${number} of ${eventId} counted in ${queue} after attempt ${last}`),
      ]
    })
  }
}
