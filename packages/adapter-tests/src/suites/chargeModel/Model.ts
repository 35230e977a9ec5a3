import { chargeCount, type Command, type RefundScript } from "./Command.ts"
import {
  isWhole,
  minute,
  type ModelCharge,
  type ModelEvent,
  type ModelPart,
  type ModelPayment,
  partId,
  partStatus,
  paymentKey,
  returnedCents,
  returnedShare,
  type Snapshot,
  type State,
} from "./ModelState.ts"

/**
 * The life of charges as a small model, which the service must match on any store. Each step returns the caller's result: a
 * state or the tag of an error.
 */
export class Model {
  readonly #charges = new Map<number, ModelCharge>()
  readonly #payments = new Map<string, ModelPayment>()
  readonly #events = new Map<string, ModelEvent>()
  readonly #refundsAtBank = new Map<string, "returned" | "processing" | "rejected">()
  #now = 0

  #publish(charge: number, kind: "paid" | "refunded"): void {
    this.#events.set(`${charge} ${kind}`, { status: "waiting", dueAt: this.#now })
  }

  #holdPaidBack(charge: number): void {
    const paid = this.#events.get(`${charge} paid`)
    if (paid?.status === "waiting") paid.status = "superseded"
  }

  #becomeRefunded(index: number, charge: ModelCharge): State {
    this.#holdPaidBack(index)
    this.#publish(index, "refunded")
    return (charge.state = "Refunded")
  }

  #settlingPayment(index: number, { settledBy = -1 }: ModelCharge): ModelPayment | undefined {
    return this.#payments.get(paymentKey(index, settledBy))
  }

  #issue(index: number, amountCents: number): string {
    const charge = this.#charges.get(index)
    if (charge === undefined) {
      this.#charges.set(index, {
        state: "Pending",
        amountCents,
        createdAt: this.#now,
        attempt: 0,
        calledAt: 0,
        parts: new Map(),
      })
      return "Pending"
    }
    if (charge.amountCents !== amountCents) return "ChargeConflict"
    if (charge.state === "Pending" && this.#now > charge.createdAt + 10 * minute) return "ChargeExpired"
    return charge.state === "Pending" || charge.state === "Paid" ? charge.state : `Charge${charge.state}`
  }

  #pay(index: number, payment: number): string {
    const charge = this.#charges.get(index)
    const key = paymentKey(index, payment)
    const known = this.#payments.get(key)
    const record = (holder: number | undefined) => {
      if (known === undefined) this.#payments.set(key, { charge: holder, amountCents: 1000, returned: new Map() })
      else known.charge ??= holder
    }
    if (charge === undefined) {
      record(undefined)
      return "PaymentUnmatched"
    }
    if (charge.settledBy === payment) return charge.state
    if (known?.charge !== undefined && known.charge !== index) return "PaymentOfAnotherCharge"
    record(index)
    if (charge.state !== "Pending") return charge.state
    charge.settledBy = payment
    this.#publish(index, "paid")
    return (charge.state = "Paid")
  }

  #finishRefund(index: number, charge: ModelCharge, how: "returned" | "rejected"): string {
    const payment = this.#settlingPayment(index, charge)
    if (payment === undefined) throw new Error("expected a refund's payment")
    if (how === "returned") {
      payment.returned.set(`P${charge.attempt.toString(36)}`, payment.amountCents)
      return this.#becomeRefunded(index, charge)
    }
    if (isWhole(payment)) return this.#becomeRefunded(index, charge)
    const paid = this.#events.get(`${index} paid`)
    if (paid?.status === "superseded") Object.assign(paid, { status: "waiting", dueAt: this.#now })
    charge.state = "Paid"
    return "RefundRejected"
  }

  /** Requests the refund at the processor, first or again, and applies the answer. */
  #callBank(index: number, charge: ModelCharge, script: RefundScript): string {
    const key = `${index} ${charge.attempt}`
    if (!this.#refundsAtBank.has(key)) {
      const payment = this.#settlingPayment(index, charge)
      // Some of the payment was returned otherwise, so its whole amount can't be requested. An earlier request can still be
      // carried out for an hour.
      if (payment !== undefined && returnedCents(payment) > 0) {
        return this.#now - charge.calledAt >= 60 * minute ? this.#finishRefund(index, charge, "rejected") : charge.state
      }
      charge.calledAt = this.#now
      if (script === "unreachable") return charge.state
      this.#refundsAtBank.set(key, script === "answerLost" ? "returned" : script)
      if (script === "answerLost") return charge.state
    }
    const outcome = this.#refundsAtBank.get(key)
    return outcome === "returned" || outcome === "rejected" ? this.#finishRefund(index, charge, outcome) : charge.state
  }

  #refund(index: number, script: RefundScript): string {
    const charge = this.#charges.get(index)
    if (charge === undefined) return "ChargeNotFound"
    if (charge.state === "Pending") return "ChargeNotPaid"
    if (charge.state === "Cancelled") return "ChargeCancelled"
    if (charge.state === "Refunded") return charge.state
    if (charge.state === "Paid") {
      const payment = this.#settlingPayment(index, charge)
      const hasLivePart = this.#livePart(index, charge) !== undefined
      if (hasLivePart || (payment !== undefined && returnedCents(payment) > 0)) return "ChargePartlyReturned"
      charge.attempt += 1
      charge.state = "Refunding"
      this.#holdPaidBack(index)
    }
    return this.#callBank(index, charge, script)
  }

  #livePart(index: number, charge: ModelCharge): ModelPart | undefined {
    const payment = this.#settlingPayment(index, charge)
    return payment && [...charge.parts.values()].find((part) => partStatus(part, payment) === "refunding")
  }

  #endPart(index: number, charge: ModelCharge, payment: ModelPayment, answer: string): string {
    if (isWhole(payment)) this.#becomeRefunded(index, charge)
    return answer
  }

  /** Requests the partial refund at the processor, first or again, and applies the answer. */
  #callForPart(
    index: number,
    charge: ModelCharge,
    part: ModelPart,
    call: { readonly payment: ModelPayment; readonly isFirst: boolean; readonly script: RefundScript },
  ): string {
    const { payment, isFirst, script } = call
    const key = `${index} ${partId(part)}`
    if (!this.#refundsAtBank.has(key)) {
      // The part exceeds the rest of the payment: it isn't requested, and fails once no earlier call can be carried out.
      if (!isFirst && returnedCents(payment) + part.amountCents > payment.amountCents) {
        if (this.#now - part.calledAt < 60 * minute) return "refunding"
        part.hasFailed = true
        return this.#endPart(index, charge, payment, "RefundRejected")
      }
      part.calledAt = this.#now
      if (script === "unreachable") return "refunding"
      this.#refundsAtBank.set(key, script === "answerLost" ? "returned" : script)
      if (script === "answerLost") return "refunding"
    }
    const outcome = this.#refundsAtBank.get(key)
    if (outcome === "processing") return "refunding"
    if (outcome === "returned") payment.returned.set(partId(part), part.amountCents)
    else part.hasFailed = true
    return this.#endPart(index, charge, payment, outcome === "returned" ? "returned" : "RefundRejected")
  }

  #refundPart(index: number, key: string, amountCents: number, script: RefundScript): string {
    const charge = this.#charges.get(index)
    if (charge === undefined) return "ChargeNotFound"
    if (charge.state === "Pending") return "ChargeNotPaid"
    const payment = this.#settlingPayment(index, charge)
    if (charge.state === "Cancelled" || payment === undefined) return "ChargeCancelled"
    const known = charge.parts.get(key)
    if (known !== undefined && known.amountCents !== amountCents) return "PartialRefundConflict"
    const status = known && partStatus(known, payment)
    if (status === "returned") return status
    if (known !== undefined && status === "refunding") {
      return this.#callForPart(index, charge, known, { payment, isFirst: false, script })
    }
    if (charge.state === "Refunding") return "ChargeRefunding"
    if (this.#livePart(index, charge) !== undefined) return "PartialRefundUnderWay"
    if (returnedCents(payment) + amountCents > payment.amountCents) return "RefundExceedsRest"
    const part = { key, amountCents, attempt: (known?.attempt ?? 0) + 1, hasFailed: false, calledAt: this.#now }
    charge.parts.set(key, part)
    return this.#callForPart(index, charge, part, { payment, isFirst: true, script })
  }

  #cancel(index: number): string {
    const charge = this.#charges.get(index)
    if (charge === undefined) return "ChargeNotFound"
    if (charge.state === "Pending") charge.state = "Cancelled"
    return charge.state === "Cancelled" ? "Cancelled" : "ChargeAlreadyPaid"
  }

  #returnOutside(index: number, of: number | "settling", id: 0 | 1 | 2): string {
    const charge = this.#charges.get(index)
    const paymentIndex = of === "settling" ? (charge?.settledBy ?? -1) : of
    const payment = this.#payments.get(paymentKey(index, paymentIndex))
    // The processor shows only payments of this charge.
    if (charge === undefined || payment === undefined || payment.charge !== index) return "skipped"
    payment.returned.set(`D${id}`, returnedShare(payment.amountCents, id))
    const isSettling = charge.settledBy === paymentIndex
    const isEnd = isSettling && charge.state === "Paid" && this.#livePart(index, charge) === undefined
    if (isEnd && isWhole(payment)) return this.#becomeRefunded(index, charge)
    return charge.state
  }

  #deliver(arrives: boolean): string {
    const due: Array<string> = []
    for (let index = 0; index < chargeCount; index++) {
      const next = (["paid", "refunded"] as const)
        .map((kind) => ({ kind, event: this.#events.get(`${index} ${kind}`) }))
        .find(({ event }) => event?.status === "waiting")
      if (next?.event === undefined || next.event.dueAt > this.#now) continue
      due.push(`${index} ${next.kind}`)
      if (arrives) next.event.status = "delivered"
      else next.event.dueAt = this.#now + 5 * minute
    }
    return due.toSorted().join(", ")
  }

  step(command: Command): string {
    switch (command._tag) {
      case "Issue":
        return this.#issue(command.charge, command.amountCents)
      case "Pay":
        return this.#pay(command.charge, command.payment)
      case "Refund":
        return this.#refund(command.charge, command.script)
      case "Cancel":
        return this.#cancel(command.charge)
      case "ReturnOutside":
        return this.#returnOutside(command.charge, command.payment, command.id)
      case "Deliver":
        return this.#deliver(command.arrives)
      case "RefundPart":
        return this.#refundPart(command.charge, command.key, command.amountCents, command.script)
      case "EndRefund": {
        const charge = this.#charges.get(command.charge)
        const part = charge && this.#livePart(command.charge, charge)
        const key = `${command.charge} ${part === undefined ? charge?.attempt : partId(part)}`
        if (this.#refundsAtBank.get(key) === "processing") this.#refundsAtBank.set(key, command.how)
        return "ended at the bank"
      }
      case "Wait":
        this.#now += command.minutes * minute
        return "waited"
    }
  }

  #isSettling(key: string, { charge }: ModelPayment): boolean {
    const settledBy = charge === undefined ? undefined : this.#charges.get(charge)?.settledBy
    return charge !== undefined && settledBy !== undefined && paymentKey(charge, settledBy) === key
  }

  #exceptionReason({ charge }: ModelPayment): string {
    if (charge === undefined) return "unmatched"
    return this.#charges.get(charge)?.state === "Cancelled" ? "cancelledCharge" : "furtherPayment"
  }

  snapshot(): Snapshot {
    const rows = [...this.#payments]
    return {
      charges: [...this.#charges]
        .map(([index, charge]) => {
          const { state, settledBy, parts } = charge
          const payment = this.#settlingPayment(index, charge)
          const lines =
            payment === undefined
              ? []
              : [...parts].map(([key, part]) => `${key} ${part.amountCents} ${partStatus(part, payment)}`)
          return [`${index} ${state} ${settledBy ?? "-"}`, ...lines.toSorted()].join(", ")
        })
        .toSorted(),
      payments: rows.map(([key, { charge }]) => `${key} ${charge ?? "-"}`).toSorted(),
      exceptions: rows
        .filter(([key, payment]) => !this.#isSettling(key, payment) && !isWhole(payment))
        .map(([key, payment]) => `${key} ${this.#exceptionReason(payment)}`)
        .toSorted(),
      returns: rows
        .flatMap(([key, { returned }]) =>
          [...returned].map(([id, cents]) => `${key} ${id.replace(/^.*(?=P)/, "")} ${cents}`),
        )
        .toSorted(),
      events: [...this.#events].map(([key, { status }]) => `${key} ${status}`).toSorted(),
    }
  }
}
