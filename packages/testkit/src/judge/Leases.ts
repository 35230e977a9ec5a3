import type { DeliveryKey, QueueClaim, Settlement } from "@pixcharge/core"
import type { StoreCall } from "./describeWrite.ts"

const queueOf = ({ issuer, endpointId }: Pick<DeliveryKey, "issuer" | "endpointId">): string =>
  `${issuer} ${endpointId}`

/** Who has claimed which queue of the outbox. */
export class Leases {
  /** The token of each queue's last claim. */
  #last: ReadonlyMap<string, string> = new Map()

  /** Those under which a call that arrives now may settle. */
  get last(): ReadonlyMap<string, string> {
    return this.#last
  }

  /** A call was carried out that had arrived under these: which queues it settled in that somebody else had claimed. */
  called(
    { port, method, args: [given], answer }: StoreCall,
    before: ReadonlyMap<string, string>,
  ): ReadonlyArray<string> {
    if (port !== "outbox") return []
    if (method === "claim") {
      const claimed = (answer as QueueClaim).queues.map(({ lease }) => [queueOf(lease), lease.token] as const)
      this.#last = new Map([...this.#last, ...claimed])
    }
    if (method !== "settle") return []
    const settled = answer as ReadonlyArray<DeliveryKey>
    return (given as ReadonlyArray<Settlement>)
      .filter(({ lease, eventId }) => {
        const counts = settled.some((key) => key.eventId === eventId && queueOf(key) === queueOf(lease))
        return counts && before.get(queueOf(lease)) !== lease.token
      })
      .map(({ lease }) => queueOf(lease))
  }
}
