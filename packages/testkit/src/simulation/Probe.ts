import { endpointsEach, issuerOf } from "./bank/bankActions.ts"
import { bankChargeKey, type BankLedger } from "./bank/BankLedger.ts"
import type { Violation } from "./invariants/Violation.ts"
import { chargeId, nameOf, txidOf } from "./names.ts"
import type { Action } from "./Plan.ts"
import type { Receipt } from "./Receivers.ts"

/** A charge that no plan has. */
const charge = 0xffff
/** Longer than a process takes to start, or is suspended. */
const firstMs = 3_600_000
/** Shorter than the charge can be paid. */
const nextMs = 300_000
const mostTries = 60

interface ProbeWorld {
  readonly after: (ms: number, happens: () => void) => void
  readonly ledger: BankLedger
  readonly receipts: ReadonlyArray<Receipt>
  readonly take: (action: Action) => void
}

/**
 * Whether there is still a process that serves once nothing goes wrong any more: a new charge is issued, paid and
 * refunded, and its receivers are told of it.
 */
export class Probe {
  readonly #world: ProbeWorld
  #tries = 0

  constructor(world: ProbeWorld) {
    this.#world = world
  }

  begin(): void {
    this.#world.after(firstMs, this.#next)
  }

  readonly #next = (): void => {
    this.#tries += 1
    if (this.#isTold("refunded") || this.#tries > mostTries) return
    const action = this.#action()
    if (action !== undefined) this.#world.take(action)
    this.#world.after(nextMs, this.#next)
  }

  /** What its client or its payer does next; undefined while they wait for a receiver. */
  #action(): Action | undefined {
    const { ledger } = this.#world
    const status = ledger.charges.get(bankChargeKey(issuerOf(charge), txidOf(charge)))?.status
    if (this.#isTold("paid")) return { do: "refund", charge }
    if (status === "completed") return undefined
    return status === "active" ? { do: "pay", charge } : { do: "issue", charge, amountCents: 999 }
  }

  #isTold(kind: "paid" | "refunded"): boolean {
    const told = this.#world.receipts.filter(
      ({ event }) => event.kind === kind && event.payment?.chargeId === chargeId(charge),
    )
    return new Set(told.map(({ endpointId }) => endpointId)).size === endpointsEach
  }

  /** How far it did not come. */
  violations(): ReadonlyArray<Violation> {
    const missing = (["paid", "refunded"] as const).find((kind) => !this.#isTold(kind))
    if (missing === undefined) return []
    const what = `a new charge, ${nameOf(chargeId(charge))}, is not told to be ${missing}`
    return [{ rule: "nothingWaitsForEver", what }]
  }
}
