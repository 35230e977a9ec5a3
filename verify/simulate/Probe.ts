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

interface ProbeWorld {
  readonly after: (ms: number, happens: () => void) => void
  readonly ledger: Ledger
  readonly receipts: ReadonlyArray<Receipt>
  readonly take: (action: Action) => void
}

/** Proves that the last process still serves: issues, pays and refunds a new charge, with its events. */
export class Probe {
  readonly #world: ProbeWorld
  #steps = 0

  constructor(world: ProbeWorld) {
    this.#world = world
    this.#next()
  }

  get isOver(): boolean {
    return this.#hasEvent("refunded") || this.#steps > maxSteps
  }

  readonly #next = (): void => {
    this.#steps += 1
    if (this.isOver) return
    const action = this.#action()
    if (action !== undefined) this.#world.take(action)
    this.#world.after(probeStepMs, this.#next)
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
    if (missing === undefined) return []
    const what = `a new charge, ${shortName(chargeId(charge))}, has no event ${missing}`
    return [{ rule: "nothingWaitsForEver", what }]
  }
}
