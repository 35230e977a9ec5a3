import type { Violation } from "./judge/rules.ts"
import { bankCharge } from "./judge/money.ts"
import { shortName } from "./judge/names.ts"
import { chargeId, chargeIssuer, chargeTxidAt, companyEndpoints } from "./names.ts"
import type { Action } from "./Action.ts"
import type { Simulation } from "./Simulation.ts"

const charge = 0xffff
const [issuer, id, txid] = [chargeIssuer(charge), chargeId(charge), chargeTxidAt(charge)]
/** Ends with a 0 because some banks omit a final 0. */
const amountCents = 990
/** The wait after each step. It is shorter than the time to pay the charge. */
const stepMs = 300_000
const maxSteps = 60
/** Without leaps, processes wake at most this late. */
const tickMs = 1_000
/** A payment without a notice is found within this time, or within half the charge's age (decision 38). */
const foundWithinMs = 95_000
const toleranceMs = 5_000

/**
 * Proves that the last process still serves: issues, pays and refunds a new charge, with its events. Half of the seeds lose
 * the payment's notice, twenty seconds or five minutes after the issue.
 */
export class Probe {
  readonly #run: Simulation
  readonly #take: (action: Action) => void
  readonly #isSilent: boolean
  #steps = 0

  constructor(run: Simulation, take: (action: Action) => void) {
    this.#run = run
    this.#take = take
    this.#isSilent = run.options.seed % 2 === 0 && run.evidence.listsAfterMs === 0
    if (this.#isSilent) this.#tick()
    this.#next()
  }

  get isOver(): boolean {
    return this.#hasEvent("refunded") || this.#steps > maxSteps
  }

  readonly #next = (): void => {
    const { faults, options, world } = this.#run
    this.#steps += 1
    if (this.isOver) return
    const action = this.#action()
    if (action?.do === "pay" && this.#isSilent) faults.rates = { ...faults.rates, lostNotices: 1 }
    if (action !== undefined) this.#take(action)
    const isSoon = this.#isSilent && action?.do === "issue" && options.seed % 4 === 0
    world.after(isSoon ? 20_000 : stepMs, this.#next)
  }

  /** Keeps time from leaping, which would wake the process late, until the payment is found. */
  readonly #tick = (): void => {
    if (!this.#hasEvent("paid") && this.#steps <= maxSteps) this.#run.world.after(tickMs, this.#tick)
  }

  /** How much too late the payment without a notice was found, in milliseconds. */
  #lateMs(): number {
    const { evidence, hosts } = this.#run
    const bank = bankCharge(evidence, { issuer, txid })
    const payment = [...evidence.ledger.payments.values()].find((one) => one.txid === txid)
    const found = evidence.receipts.find(({ event }) => event.payment?.chargeId === id)
    if (!this.#isSilent || bank === undefined || payment === undefined || found === undefined) return 0
    const promisedMs = Math.max(foundWithinMs, (payment.paidAt - bank.createdAt) / 2)
    const skewMs = Math.abs(hosts.findServing(0)?.actor.skewMs ?? 0)
    return found.at - payment.paidAt - promisedMs - skewMs - toleranceMs
  }

  #action(): Action | undefined {
    const status = bankCharge(this.#run.evidence, { issuer, txid })?.status
    if (this.#hasEvent("paid")) return { do: "refund", charge }
    if (status === "completed") return undefined
    return status === "active" ? { do: "pay", charge } : { do: "issue", charge, amountCents }
  }

  #hasEvent(kind: "paid" | "refunded"): boolean {
    const receipts = this.#run.evidence.receipts.filter(
      ({ event }) => event.kind === kind && event.payment?.chargeId === id,
    )
    const wanted = companyEndpoints(issuer, [kind])
    return wanted.every((endpoint) => receipts.some(({ endpointId }) => endpointId === endpoint.id))
  }

  violations(): ReadonlyArray<Violation> {
    const missing = (["paid", "refunded"] as const).find((kind) => !this.#hasEvent(kind))
    const lateMs = this.#lateMs()
    if (lateMs > 0) {
      const what = `the payment of ${shortName(id)}, without a notice, is found ${lateMs} ms too late`
      return [{ rule: "checksKeepTheirTime", what }]
    }
    if (missing === undefined) return []
    const what = `a new charge, ${shortName(id)}, has no event ${missing}`
    return [{ rule: "nothingWaitsForEver", what }]
  }
}
