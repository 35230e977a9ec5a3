import type { CallbackDelivery, DeliveryOutcome } from "@pixcharge/core"
import type { PixEvent } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Surroundings } from "./Network.ts"
import { requestedWaitMs } from "./judge/Deliveries.ts"
import type { Receipt, SentEvent } from "./judge/Evidence.ts"
import { shortName } from "./judge/names.ts"
import type { Actor } from "./World.ts"

interface Outage {
  /** Epoch milliseconds. */
  readonly until: number
  readonly status: 410 | 429 | undefined
}

const refusals: Readonly<Record<NonNullable<Outage["status"]>, DeliveryOutcome>> = {
  410: { _tag: "Gone", status: 410 },
  429: { _tag: "Retry", status: 429, reason: "too many", retryAfterMs: requestedWaitMs },
}

const nameOf = (event: PixEvent): string => `${event.kind} of ${shortName(event.payment?.txid ?? event.id)}`

export class Receivers {
  readonly receipts: Array<Receipt> = []
  onSent: (sent: SentEvent) => void = () => undefined
  onAttemptEnd: (sent: SentEvent) => void = () => undefined
  readonly #down = new Map<string, Outage>()
  readonly #around: Surroundings

  constructor(around: Surroundings) {
    this.#around = around
  }

  goDown(endpointId: string, ms: number, status?: Outage["status"]): void {
    const { world } = this.#around
    this.#down.set(endpointId, { until: world.now + ms, status })
    world.note(endpointId, `is down for ${ms} ms`)
  }

  comeBack(): void {
    this.#down.clear()
  }

  client(caller: Actor): CallbackDelivery["Service"] {
    const { world, network, faults } = this.#around
    return {
      deliver: (event, endpoint, attempt) =>
        Effect.suspend(() => {
          const decision = faults.decideNext(`${caller.name} sends ${nameOf(event)} to ${endpoint.id}`)
          const arriveMs = decision.random.between(1, decision.isHit("slowReceivers") ? 9_000 : 100)
          const answerMs = decision.random.between(1, 100)
          const sent = { event, endpointId: endpoint.id, attempt, at: world.now, by: caller.name }
          this.onSent(sent)
          const isLost = decision.hasFault("deliveries", "lost")
          const isUnanswered = decision.hasFault("deliveries", "unanswered")
          const dies = decision.hasFault("deaths", "death after") ? ({ dies: "after" } as const) : {}
          const called = network.call<DeliveryOutcome, never>(caller, { arriveMs, answerMs, ...dies }, (onExit) =>
            onExit(Exit.succeed(this.#receive(sent, isLost, isUnanswered))),
          )
          return Effect.ensuring(
            called,
            Effect.sync(() => this.onAttemptEnd(sent)),
          )
        }),
    }
  }

  #receive({ event, endpointId }: SentEvent, isLost: boolean, isUnanswered: boolean): DeliveryOutcome {
    const { world } = this.#around
    const { until = 0, status } = this.#down.get(endpointId) ?? {}
    const isDown = world.now < until
    const what = nameOf(event)
    if (isDown && status !== undefined) {
      world.note(endpointId, `refuses ${what} with ${status}`)
      return refusals[status]
    }
    if (isDown || isLost) {
      world.note(endpointId, `does not get ${what}`)
      return { _tag: "Retry", reason: "no answer" }
    }
    this.receipts.push({ endpointId, event, at: world.now })
    world.note(endpointId, `gets ${what}${isUnanswered ? ", and its answer is lost" : ""}`)
    return isUnanswered ? { _tag: "Retry", reason: "no answer" } : { _tag: "Delivered", status: 200 }
  }
}
