import { chargeKey, type Ledger } from "@pixcharge/simulated-bank"
import type { Violation } from "./judge/rules.ts"
import { shortName } from "./judge/names.ts"
import { accountHolder, chargeId, chargeIssuer, chargeTxidAt, companyEndpoints } from "./names.ts"
import type { Action } from "./Action.ts"
import type { Receipt } from "./judge/Evidence.ts"

const charge = 0xffff
/** Ends with a 0 because some banks omit a final 0. */
const amountCents = 990
/** The wait after each step. It is shorter than the time to pay the charge. */
export const probeStepMs = 300_000
const maxSteps = 60
/** Without leaps, processes wake at most this late. */
const tickMs = 1_000
/** A payment without a notice is found within this time, or within half the charge's age (decision 38). */
const foundWithinMs = 95_000
const toleranceMs = 5_000

export interface ProbeWorld {
  readonly after: (ms: number, happens: () => void) => void
  readonly ledger: Ledger
  readonly receipts: ReadonlyArray<Receipt>
  readonly take: (action: Action) => void
  readonly seed: number
  readonly listsAfterMs: number
  /** How far the process's clock is from the world's, in milliseconds. */
  readonly skewMs: () => number
  /** From now on no notice arrives. */
  readonly loseNotices: () => void
}

/**
 * Proves that the last process still serves: issues, pays and refunds a new charge, with its events. Half of the seeds lose
 * the payment's notice, twenty seconds or five minutes after the issue.
 */
export class Probe {
  readonly #world: ProbeWorld
  readonly #isSilent: boolean
  #steps = 0

  constructor(world: ProbeWorld) {
    this.#world = world
    this.#isSilent = world.seed % 2 === 0 && world.listsAfterMs === 0
    if (this.#isSilent) this.#tick()
    this.#next()
  }

  get isOver(): boolean {
    return this.#hasEvent("refunded") || this.#steps > maxSteps
  }

  readonly #next = (): void => {
    this.#steps += 1
    if (this.isOver) return
    const action = this.#action()
    if (action?.do === "pay" && this.#isSilent) this.#world.loseNotices()
    if (action !== undefined) this.#world.take(action)
    const isSoon = this.#isSilent && action?.do === "issue" && this.#world.seed % 4 === 0
    this.#world.after(isSoon ? 20_000 : probeStepMs, this.#next)
  }

  /** Keeps time from leaping, which would wake the process late, until the payment is found. */
  readonly #tick = (): void => {
    if (!this.#hasEvent("paid") && this.#steps <= maxSteps) this.#world.after(tickMs, this.#tick)
  }

  /** How much too late the payment without a notice was found, in milliseconds. */
  #lateMs(): number {
    const { ledger, receipts, skewMs } = this.#world
    const bank = ledger.charges.get(chargeKey(accountHolder(chargeIssuer(charge)), chargeTxidAt(charge)))
    const payment = [...ledger.payments.values()].find(({ txid }) => txid === chargeTxidAt(charge))
    const found = receipts.find(({ event }) => event.payment?.chargeId === chargeId(charge))
    if (!this.#isSilent || bank === undefined || payment === undefined || found === undefined) return 0
    const promisedMs = Math.max(foundWithinMs, (payment.paidAt - bank.createdAt) / 2)
    return found.at - payment.paidAt - promisedMs - Math.abs(skewMs()) - toleranceMs
  }

  #action(): Action | undefined {
    const { ledger } = this.#world
    const status = ledger.charges.get(chargeKey(accountHolder(chargeIssuer(charge)), chargeTxidAt(charge)))?.status
    if (this.#hasEvent("paid")) return { do: "refund", charge }
    if (status === "completed") return undefined
    return status === "active" ? { do: "pay", charge } : { do: "issue", charge, amountCents }
  }

  #hasEvent(kind: "paid" | "refunded"): boolean {
    const receipts = this.#world.receipts.filter(
      ({ event }) => event.kind === kind && event.payment?.chargeId === chargeId(charge),
    )
    const wanted = companyEndpoints(chargeIssuer(charge), [kind])
    return wanted.every(({ id }) => receipts.some(({ endpointId }) => endpointId === id))
  }

  violations(): ReadonlyArray<Violation> {
    const missing = (["paid", "refunded"] as const).find((kind) => !this.#hasEvent(kind))
    const lateMs = this.#lateMs()
    if (lateMs > 0) {
      const what = `the payment of ${shortName(chargeId(charge))}, without a notice, is found ${lateMs} ms too late`
      return [{ rule: "checksKeepTheirTime", what }]
    }
    if (missing === undefined) return []
    const what = `a new charge, ${shortName(chargeId(charge))}, has no event ${missing}`
    return [{ rule: "nothingWaitsForEver", what }]
  }
}
