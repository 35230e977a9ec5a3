import type { CallbackDelivery, DeliveryOutcome } from "@pixcharge/core"
import type { PixEvent } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { requestedWaitMs, type SentEvent } from "./judge/Deliveries.ts"
import type { Receipt } from "./judge/Evidence.ts"
import type { FaultDecisions } from "./FaultDecisions.ts"
import { shortName } from "./judge/names.ts"
import type { NetworkCall } from "./networkCall.ts"
import type { Actor, Timeline } from "./World.ts"

interface Outage {
  /** Epoch milliseconds. */
  readonly until: number
  readonly status: 410 | 429 | undefined
}

const refusals: Readonly<Record<NonNullable<Outage["status"]>, DeliveryOutcome>> = {
  410: { _tag: "Gone", status: 410 },
  429: { _tag: "Retry", status: 429, reason: "too many", retryAfterMs: requestedWaitMs },
}

export class Receivers {
  readonly receipts: Array<Receipt> = []
  onSent: (sent: SentEvent) => void = () => undefined
  onAttemptEnd: (sent: SentEvent) => void = () => undefined
  readonly #down = new Map<string, Outage>()
  readonly #world: Timeline
  readonly #network: { readonly call: NetworkCall }
  readonly #faults: FaultDecisions

  constructor(world: Timeline, network: { readonly call: NetworkCall }, faults: FaultDecisions) {
    this.#world = world
    this.#network = network
    this.#faults = faults
  }

  goDown(endpointId: string, ms: number, status?: Outage["status"]): void {
    this.#down.set(endpointId, { until: this.#world.now + ms, status })
    this.#world.note(endpointId, `is down for ${ms} ms`)
  }

  comeBack(): void {
    this.#down.clear()
  }

  client(caller: Actor): CallbackDelivery["Service"] {
    return {
      deliver: (event, endpoint, attempt) =>
        Effect.suspend(() => {
          const name = `${event.kind} of ${shortName(event.payment?.txid ?? event.id)}`
          const decision = this.#faults.decideNext(`${caller.name} sends ${name} to ${endpoint.id}`)
          const arriveMs = decision.random.between(1, decision.isHit("slowReceivers") ? 9_000 : 100)
          const answerMs = decision.random.between(1, 100)
          const sent = { event, endpointId: endpoint.id, attempt, at: this.#world.now, by: caller.name }
          this.onSent(sent)
          const isLost = decision.hasFault("deliveries", "lost")
          const isUnanswered = decision.hasFault("deliveries", "unanswered")
          const dies = decision.hasFault("deaths", "death after") ? ({ dies: "after" } as const) : {}
          const called = this.#network.call<DeliveryOutcome, never>(caller, { arriveMs, answerMs, ...dies }, (onExit) =>
            onExit(Exit.succeed(this.#receive(event, endpoint.id, { isLost, isUnanswered }))),
          )
          return Effect.ensuring(
            called,
            Effect.sync(() => this.onAttemptEnd(sent)),
          )
        }),
    }
  }

  #receive(
    event: PixEvent,
    endpointId: string,
    { isLost, isUnanswered }: { readonly isLost: boolean; readonly isUnanswered: boolean },
  ): DeliveryOutcome {
    const at = this.#world.now
    const { until = 0, status } = this.#down.get(endpointId) ?? {}
    const isDown = at < until
    const what = `${event.kind} of ${shortName(event.payment?.txid ?? event.id)}`
    if (isDown && status !== undefined) {
      this.#world.note(endpointId, `refuses ${what} with ${status}`)
      return refusals[status]
    }
    if (isDown || isLost) {
      this.#world.note(endpointId, `does not get ${what}`)
      return { _tag: "Retry", reason: "no answer" }
    }
    this.receipts.push({ endpointId, event, at })
    this.#world.note(endpointId, `gets ${what}${isUnanswered ? ", and its answer is lost" : ""}`)
    return isUnanswered ? { _tag: "Retry", reason: "no answer" } : { _tag: "Delivered", status: 200 }
  }
}
