import type { DeliveryAttempt, DeliveryKey, DeliveryRecord, NewDelivery, Settlement } from "@pixcharge/core"
import type { Charge, PixEvent } from "@pixcharge/core/charges"
import type { Endpoint } from "@pixcharge/core/directory"
import type { SentEvent } from "./Evidence.ts"
import { chargeKey, shortName } from "./names.ts"
import { broken, type Violation, reportIf } from "./rules.ts"

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
/** The delay before each attempt after the first (decision 24). */
const delaysMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
/** A busy receiver asks for this wait, which then is the least one. */
export const requestedWaitMs = 40 * minute
/** Each delay varies by up to a fifth. */
const spread = 0.2
/** More than the clocks' difference. */
const toleranceMs = minute
/** Without faults, a commit wakes its process, which sends the event within this time. */
const promptMs = 2 * second
/** How long after the return an event can still be sent that was read before it. */
const underWayMs = 15 * second

/** `number`: the attempt's since the last replay. */
const findWrongSettlement = ({ fate, attempt, eventId }: Settlement, number: number): ReadonlyArray<string> => {
  const delayMs = delaysMs[number - 1]
  const endedAt = attempt.startedAt + attempt.latencyMs
  const name = `attempt ${number} of ${eventId}`
  if (fate._tag === "Dead") return reportIf(delayMs !== undefined, `${name} is the last one`)
  if (fate._tag !== "Retry") return []
  const waitMs = fate.at - endedAt
  const isUsual = delayMs !== undefined && Math.abs(waitMs - delayMs) <= spread * delayMs + second
  const isLeast = attempt.status === 429 && Math.abs(waitMs - requestedWaitMs) <= second
  const isTooShort = attempt.status === 429 && waitMs < requestedWaitMs
  const isRight = (isUsual && !isTooShort) || (isLeast && delayMs !== undefined)
  return reportIf(!isRight, `${name} is followed by another in ${waitMs} ms`)
}

const about = ({ id, issuer, payment }: PixEvent): string =>
  payment === undefined ? id : chargeKey({ issuer, id: payment.chargeId })

const attemptKey = ({ event, endpointId, attempt, by }: SentEvent, turn: number): string =>
  `${event.id} ${endpointId} ${attempt} ${by} ${turn}`

const deliveryKey = (eventId: string, endpointId: string): string => `${eventId} ${endpointId}`

/**
 * Judges that attempts follow the schedule of decision 24 and are recorded, and that `paid` isn't sent after a refund.
 */
export class Deliveries {
  /** The time of each attempt, by event, endpoint and number. */
  readonly #attempts = new Map<string, number>()
  readonly #goneSince = new Map<string, number>()
  /** Each process's events under way, by process and endpoint. */
  readonly #underWay = new Set<string>()
  /** When a rejected refund made a charge paid again. Its events can be sent again from this time on. */
  readonly #restoredAt = new Map<string, number>()

  /** Deliveries that ended as dead letters, by event and endpoint. */
  readonly givenUp = new Set<string>()
  /** Since when an endpoint is paused or disabled. */
  readonly #closedSince = new Map<string, number>()
  /** The number of the attempt that each process has made and not settled, by process, event and endpoint. */
  readonly #unsettled = new Map<string, number>()
  /** The times of the attempts at each delivery, by event and endpoint. */
  readonly #made = new Map<string, ReadonlyArray<number>>()
  /** How many attempts the store has recorded for each delivery, by event and endpoint; undefined after it was set back. */
  #settled: Map<string, number> | undefined = new Map()
  /** When deliveries were written while `isPrompt`, by event and endpoint. */
  readonly #writtenAt = new Map<string, number>()
  /** True once faults are over and all earlier work is done: each new event is then sent at once. */
  isPrompt = false
  /** The answered attempts, by event, endpoint, number, process and turn. */
  readonly #answered = new Set<string>()

  setBack(): void {
    this.#goneSince.clear()
    this.#answered.clear()
    this.#settled = undefined
  }

  recordWritten(deliveries: ReadonlyArray<NewDelivery>, at: number): void {
    if (!this.isPrompt) return
    for (const { event, endpointId } of deliveries) this.#writtenAt.set(deliveryKey(event.id, endpointId), at)
  }

  recordStatus(endpointId: string, status: Endpoint["status"], at: number): void {
    if (status === "enabled") this.#closedSince.delete(endpointId)
    else this.#closedSince.set(endpointId, this.#closedSince.get(endpointId) ?? at)
  }

  recordCharge(charge: Charge, at: number): void {
    const { _tag } = charge
    const id = chargeKey(charge)
    if (_tag === "Paid") {
      if (this.#goneSince.delete(id)) this.#restoredAt.set(id, at)
    } else if (_tag === "Refunding" || _tag === "Refunded") {
      this.#goneSince.set(id, this.#goneSince.get(id) ?? at)
    }
  }

  /** Judges an attempt that begins now. The turn changes whenever another process claims the queue. */
  judgeAttempt(sent: SentEvent, turn: number): ReadonlyArray<Violation> {
    const { event, endpointId, attempt, at, by } = sent
    const isRepeated = this.#answered.has(attemptKey(sent, turn))
    const place = `${by} ${endpointId} ${about(event)}`
    const isBeside = this.#underWay.has(place)
    this.#underWay.add(place)
    const what = `${event.kind} of ${shortName(event.payment?.txid ?? event.id)} to ${endpointId}`
    const key = deliveryKey(event.id, endpointId)
    this.#unsettled.set(`${by} ${key}`, attempt)
    this.#made.set(key, [...(this.#made.get(key) ?? []), at])
    const waitedMs = at - (this.#writtenAt.get(key) ?? at)
    this.#writtenAt.delete(key)
    const before = this.#attempts.get(`${key} ${attempt - 1}`) ?? Infinity
    const delayMs = (1 - spread) * (delaysMs[attempt - 2] ?? 0)
    const name = `${key} ${attempt}`
    this.#attempts.set(name, this.#attempts.get(name) ?? at)
    const goneSince = event.kind === "paid" ? this.#goneSince.get(about(event)) : undefined
    const restoredAt = this.#restoredAt.get(about(event)) ?? Number.NEGATIVE_INFINITY
    const isClosed = at > (this.#closedSince.get(endpointId) ?? Infinity) + underWayMs
    const isEarly = attempt > 1 && at < before + delayMs - toleranceMs && restoredAt < before
    return broken("eventsKeepTheirTime", [
      ...reportIf(waitedMs > promptMs, `${what} is first sent ${waitedMs} ms after its commit`),
      ...reportIf(isClosed, `${what} is sent although the endpoint takes no events`),
      ...reportIf(isBeside, `${what} is sent while ${by} sends another event of the charge`),
      ...reportIf(isRepeated, `attempt ${attempt} of ${what} is made again by ${by}, which has its answer`),
      ...reportIf(isEarly, `attempt ${attempt} of ${what} comes too early after the one before`),
      ...reportIf(goneSince !== undefined && at > goneSince + underWayMs, `${what} is sent after its money is gone`),
    ])
  }

  readonly endAttempt = (sent: SentEvent, turn: number): void => {
    const { event, endpointId, by } = sent
    this.#underWay.delete(`${by} ${endpointId} ${about(event)}`)
    this.#answered.add(attemptKey(sent, turn))
  }

  /** Forgets the answers, because a replay begins with the first attempt again. */
  readonly forgetAnswers = (): void => this.#answered.clear()

  judgeSettlements(
    by: string,
    settlements: ReadonlyArray<Settlement>,
    counted: ReadonlyArray<DeliveryKey>,
  ): ReadonlyArray<Violation> {
    for (const { fate, eventId, lease } of settlements) {
      if (fate._tag === "Dead") this.givenUp.add(deliveryKey(eventId, lease.endpointId))
    }
    for (const { eventId, endpointId } of counted) {
      const key = deliveryKey(eventId, endpointId)
      this.#settled?.set(key, (this.#settled.get(key) ?? 0) + 1)
    }
    return broken(
      "eventsKeepTheirTime",
      settlements.flatMap((one) => this.#judgeFate(by, one)),
    )
  }

  #judgeFate(by: string, settlement: Settlement): ReadonlyArray<string> {
    const name = `${by} ${deliveryKey(settlement.eventId, settlement.lease.endpointId)}`
    const number = this.#unsettled.get(name)
    this.#unsettled.delete(name)
    return number === undefined ? [] : findWrongSettlement(settlement, number)
  }

  /** A delivery's recorded attempts must be attempts that were made, each once, and all that were settled. */
  findWrongRecords(
    { event, endpointId, lastAttempt }: DeliveryRecord,
    recorded: ReadonlyArray<DeliveryAttempt>,
  ): ReadonlyArray<string> {
    const key = deliveryKey(event.id, endpointId)
    const left = [...(this.#made.get(key) ?? [])]
    const invented = recorded.filter(({ startedAt }) => {
      const index = left.findIndex((at) => Math.abs(at - startedAt) <= toleranceMs)
      if (index >= 0) left.splice(index, 1)
      return index < 0
    })
    const settled = this.#settled === undefined ? recorded.length : (this.#settled.get(key) ?? 0)
    return [
      ...reportIf(invented.length > 0, `${key} has a recorded attempt that was never made`),
      ...reportIf(recorded.length !== settled, `${key} has ${recorded.length} recorded attempts, not ${settled}`),
      ...reportIf(
        lastAttempt?.startedAt !== recorded.at(-1)?.startedAt,
        `${key} shows another last attempt than its last recorded one`,
      ),
    ]
  }
}
