import type { Settlement } from "@pixcharge/core"
import type { Charge, PixEvent } from "@pixcharge/core/charges"
import { shortName } from "./names.ts"
import { type Violation, reportIf } from "./rules.ts"

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
/** What lies at least before each attempt after the first (decision 24), less a fifth. */
const delaysMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
/** Each is a fifth more or less. */
const spread = 0.2
/** Clocks differ by less. */
const toleranceMs = minute
/** What was read before the money went back may still be sent for so long. */
const underWayMs = 15 * second

/** An event that is sent. */
export interface SentEvent {
  readonly event: PixEvent
  readonly endpointId: string
  /** From 1. */
  readonly attempt: number
  /** Epoch milliseconds. */
  readonly at: number
  /** The process that sends it. */
  readonly by: string
}

/** What is wrong with what becomes of a delivery after an attempt. */
const findWrongSettlement = ({ number, fate, attempt, eventId }: Settlement): ReadonlyArray<string> => {
  const delayMs = delaysMs[number - 1]
  const endedAt = attempt.startedAt + attempt.latencyMs
  const name = `attempt ${number} of ${eventId}`
  if (fate._tag === "Dead") return reportIf(delayMs !== undefined, `${name} is the last one`)
  if (fate._tag !== "Retry") return []
  const waitMs = fate.at - endedAt
  const isRight = delayMs !== undefined && Math.abs(waitMs - delayMs) <= spread * delayMs + second
  return reportIf(!isRight, `${name} is followed by another in ${waitMs} ms`)
}

const attemptKey = ({ event, endpointId, attempt, by }: SentEvent, turn: number): string =>
  `${event.id} ${endpointId} ${attempt} ${by} ${turn}`

/** What is sent to receivers, by the schedule of decision 24, and how long a payment may be told of. */
export class Deliveries {
  /** When each attempt was made first, by event, endpoint and number. */
  readonly #attempts = new Map<string, number>()
  /** Since when a charge's money goes back, or is back, by its id. */
  readonly #goneSince = new Map<string, number>()
  /** The charges' events that each process is about to send, or has sent and has no answer, by process and endpoint. */
  readonly #underWay = new Set<string>()
  /** When a charge was paid again because its refund was not carried out: what is to be told of it waits no longer. */
  readonly #restoredAt = new Map<string, number>()

  /** The attempts that were answered, by event, endpoint, number, and whose turn it was. */
  readonly #answered = new Set<string>()

  /** Of charges whose money goes back the store knows nothing any more. */
  setBack(): void {
    this.#goneSince.clear()
    this.#answered.clear()
  }

  /** A charge is stored in this state. */
  recordCharge({ id, _tag }: Charge, at: number): void {
    if (_tag === "Paid") {
      if (this.#goneSince.delete(id)) this.#restoredAt.set(id, at)
    } else if (_tag === "Refunding" || _tag === "Refunded") {
      this.#goneSince.set(id, this.#goneSince.get(id) ?? at)
    }
  }

  /** What is wrong with an event that is sent now; the turn changes whenever another process claims its queue. */
  judgeAttempt(sent: SentEvent, turn: number): ReadonlyArray<Violation> {
    const { event, endpointId, attempt, at, by } = sent
    const isRepeated = this.#answered.has(attemptKey(sent, turn))
    const place = `${by} ${endpointId} ${event.payment?.chargeId ?? event.id}`
    const isBeside = this.#underWay.has(place)
    this.#underWay.add(place)
    const what = `${event.kind} of ${shortName(event.payment?.chargeId ?? event.id)} to ${endpointId}`
    const key = `${event.id} ${endpointId}`
    const before = this.#attempts.get(`${key} ${attempt - 1}`) ?? Infinity
    const delayMs = (1 - spread) * (delaysMs[attempt - 2] ?? 0)
    const name = `${key} ${attempt}`
    this.#attempts.set(name, this.#attempts.get(name) ?? at)
    const goneSince = event.kind === "paid" ? this.#goneSince.get(event.payment?.chargeId ?? "") : undefined
    const restoredAt = this.#restoredAt.get(event.payment?.chargeId ?? "") ?? Number.NEGATIVE_INFINITY
    const isEarly = attempt > 1 && at < before + delayMs - toleranceMs && restoredAt < before
    return [
      ...reportIf(isBeside, `${what} is sent while ${by} sends another event of the charge`),
      ...reportIf(isRepeated, `attempt ${attempt} of ${what} is made again by ${by}, which has its answer`),
      ...reportIf(isEarly, `attempt ${attempt} of ${what} comes too early after the one before`),
      ...reportIf(goneSince !== undefined && at > goneSince + underWayMs, `${what} is sent after its money is gone`),
    ].map((wrong) => ({ rule: "eventsKeepTheirTime", what: wrong }))
  }

  /** An attempt was answered, or given up. */
  readonly endAttempt = (sent: SentEvent, turn: number): void => {
    const { event, endpointId, by } = sent
    this.#underWay.delete(`${by} ${endpointId} ${event.payment?.chargeId ?? event.id}`)
    this.#answered.add(attemptKey(sent, turn))
  }

  /** Events are sent again, from their first attempt on. */
  readonly forgetAnswers = (): void => this.#answered.clear()

  /** What is wrong with when the deliveries are tried again that were settled. */
  judgeSettlements(settlements: ReadonlyArray<Settlement>): ReadonlyArray<Violation> {
    return settlements.flatMap(findWrongSettlement).map((what) => ({ rule: "eventsKeepTheirTime", what }))
  }
}
