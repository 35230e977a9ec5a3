import type { Charge } from "@pixcharge/core/charge"
import type { LedgerPayment, ReturnOrder } from "@pixcharge/simulated-bank"
import { nameOf } from "../names.ts"
import type { Violation } from "./Violation.ts"

/** What the refunds of parts are for: the key, unique by its charge, and the cents that were first asked for under it. */
export class PartKeys {
  /** By key. */
  readonly #cents = new Map<string, number>()
  /** The key of each refund, by its id at the bank. */
  readonly #keys = new Map<string, string>()

  /** Learns the partial refunds of a stored charge: none changes its cents, or has another's id. */
  learn({ id, partialRefunds = [] }: Charge): ReadonlyArray<Violation> {
    return partialRefunds.flatMap(({ key: name, amountCents, refund }): ReadonlyArray<Violation> => {
      const key = `part ${name} of ${nameOf(id)}`
      const cents = this.#cents.get(key) ?? amountCents
      const owner = this.#keys.get(refund.id) ?? key
      this.#cents.set(key, cents)
      this.#keys.set(refund.id, owner)
      return [
        ...(cents === amountCents ? [] : [`${key} was of ${cents} cents, and is of ${amountCents}`]),
        ...(owner === key ? [] : [`${key} has the id ${refund.id}, which is that of ${owner}`]),
      ].map((what) => ({ rule: "onceForEachKey", what }))
    })
  }

  /** A return is asked for: of its key none other is live or carried out, and it is of its cents. */
  returnAsked({ returns }: LedgerPayment, { id, amountCents }: ReturnOrder): ReadonlyArray<Violation> {
    const key = this.#keys.get(id)
    if (key === undefined) return []
    const cents = this.#cents.get(key)
    const twin = returns.find((one) => one.id !== id && one.status !== "rejected" && this.#keys.get(one.id) === key)
    return [
      ...(twin === undefined ? [] : [`${key} is to be returned by ${id}, and ${twin.id} is ${twin.status}`]),
      ...(cents === amountCents ? [] : [`${key} is of ${cents} cents, and ${amountCents} are to be returned`]),
    ].map((what) => ({ rule: "onceForEachKey", what }))
  }
}
