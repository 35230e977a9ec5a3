import type { Charge, ChargeId, Payment, PaymentException, Refund, Return } from "@pixcharge/core/charges"
import type { Write } from "./describeWrite.ts"
import { backCents } from "./money.ts"
import { shortName } from "./names.ts"
import { type Rule, type Violation, reportIf } from "./rules.ts"

/** Clocks differ by less. */
const clockToleranceMs = 60_000

const violations = (rule: Rule, found: ReadonlyArray<string>): ReadonlyArray<Violation> =>
  found.map((what) => ({ rule, what }))

/** A charge or an exception of which money is to go back. */
export interface Begun {
  readonly payment: Payment
  readonly returns: ReadonlyArray<Return>
}

/** What charges and exceptions came from, and what happens to each of them once. */
export class Moves {
  /** The versions from which a charge or an exception was moved. */
  readonly #from = new Set<string>()
  /** The payments that were returned or resolved as exceptions, or may be until then: epoch milliseconds. */
  readonly #dealtWith = new Map<string, number>()
  /** The payments that settled charges. */
  readonly #settling = new Map<ChargeId, string>()
  /** The ids of the refunds that have begun. */
  readonly #refunds = new Set<string>()
  /** How many returns each version of a charge or an exception has. */
  readonly #returns = new Map<string, number>()

  setBack(): void {
    for (const known of [this.#from, this.#dealtWith, this.#settling, this.#returns]) known.clear()
  }

  /** What is wrong with a move. */
  judgeWrite({ moveFrom, movedTo, dealtWith }: Write): ReadonlyArray<Violation> {
    if (dealtWith !== undefined) this.#dealtWith.set(dealtWith.endToEndId, dealtWith.until)
    if (moveFrom === undefined) return []
    const isTwice = this.#from.has(moveFrom)
    this.#from.add(moveFrom)
    return violations("oneMoveFromEachVersion", [
      ...reportIf(isTwice, `${moveFrom} was moved from twice`),
      ...reportIf(
        movedTo !== undefined && !moveFrom.endsWith(` v${movedTo - 1}`),
        `${moveFrom} was moved to v${movedTo}`,
      ),
    ])
  }

  /** Whether a charge was settled by this payment. */
  hasSettled(endToEndId: string): boolean {
    return [...this.#settling.values()].includes(endToEndId)
  }

  /** A charge is settled once, and by no payment that was dealt with as an exception. */
  judgePayment(id: ChargeId, endToEndId: string, now: number): ReadonlyArray<Violation> {
    const first = this.#settling.get(id) ?? endToEndId
    this.#settling.set(id, first)
    const [name, by] = [shortName(id), shortName(endToEndId)]
    const isDealtWith = now + 2 * clockToleranceMs < (this.#dealtWith.get(endToEndId) ?? 0)
    return violations("stateFollowsFromMoney", [
      ...reportIf(first !== endToEndId, `${name} was settled by ${shortName(first)}, and is by ${by}`),
      ...reportIf(isDealtWith, `${name} is settled by ${by}, which is an exception's`),
    ])
  }

  /** A refund begins only while as much is left as it returns. A dispute may return it later. */
  judgeRefund({ payment, returns }: Begun, { id }: Refund, amountCents: number): ReadonlyArray<Violation> {
    if (this.#refunds.has(id)) return []
    this.#refunds.add(id)
    const back = backCents(payment, returns)
    const what = `${amountCents} cents of ${shortName(payment.endToEndId)} are to go back, and ${back} did already`
    return violations("neverMoreBackThanPaid", reportIf(back + amountCents > payment.amountCents, what))
  }

  /** It has the same returns as long as its version is the same: what was decided without knowing one is stale. */
  judgeReturns(
    owner: string,
    { version, returns: { length: count } }: Pick<Charge | PaymentException, "version" | "returns">,
  ): ReadonlyArray<Violation> {
    const name = `${owner} v${version}`
    const first = this.#returns.get(name) ?? count
    this.#returns.set(name, first)
    return violations(
      "oneMoveFromEachVersion",
      reportIf(first !== count, `${name} has ${count} returns, and had ${first}`),
    )
  }
}
