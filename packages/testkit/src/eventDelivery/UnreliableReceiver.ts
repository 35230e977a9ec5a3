import type { ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type ReceivedPost, startReceiver } from "../callbackDelivery/Receiver.ts"
import type { Dice } from "./dice.ts"

/** What a receiver noted of each event. */
export interface UnreliableReceiver {
  readonly url: string
  /** Ids of the events that it took and answered well, in the order of their coming. */
  readonly taken: ReadonlyArray<string>
  /** The bodies that came under each id. */
  readonly bodies: ReadonlyMap<string, ReadonlySet<string>>
}

/** One way to fail an event. */
type Fault = (response: ServerResponse) => void

const faults: ReadonlyArray<Fault> = [
  (response) => response.writeHead(500).end("erro"),
  (response) => response.writeHead(503, { "retry-after": "1" }).end(),
  (response) => response.writeHead(302, { location: "http://127.0.0.1/" }).end(),
  (response) => response.writeHead(404).end(),
  // What a receiver does that took the event, and whose answer is lost, looks the same from here.
  (response) => response.socket?.resetAndDestroy(),
  (response) => {
    response.writeHead(200, { "content-length": "100" })
    response.write("meia respos")
    setTimeout(() => response.socket?.resetAndDestroy(), 5)
  },
]

/** No event fails more often than this, so that none dies of bad luck within its ten attempts. */
const mostFaults = 6

/** A receiver that fails in many ways, at the throw of dice, and takes every event at last. */
export const startUnreliableReceiver = (
  dice: Dice,
  faultiness: number,
): Effect.Effect<UnreliableReceiver, never, Scope.Scope> =>
  Effect.suspend(() => {
    const taken: Array<string> = []
    const bodies = new Map<string, Set<string>>()
    const failed = new Map<string, number>()
    const answer = (response: ServerResponse, post: ReceivedPost): void => {
      const id = String(post.headers["webhook-id"])
      bodies.set(id, (bodies.get(id) ?? new Set()).add(post.body))
      const count = failed.get(id) ?? 0
      const fault = count < mostFaults && dice.chance(faultiness) ? faults[dice.below(faults.length)] : undefined
      if (fault !== undefined) {
        failed.set(id, count + 1)
        return fault(response)
      }
      taken.push(id)
      setTimeout(() => response.end("recebido"), dice.chance(0.1) ? dice.below(30) : 0)
      return undefined
    }
    return Effect.map(startReceiver(answer), ({ url }) => ({ url, taken, bodies }))
  })
