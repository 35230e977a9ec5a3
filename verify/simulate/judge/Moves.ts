import type { Charge, PaymentException, Refund } from "@pixcharge/core/charges"
import type { Write } from "./describeWrite.ts"
import { backCents, type SettledCharge } from "./money.ts"
import { chargeKey, chargeName, shortName } from "./names.ts"
import { broken, type Violation, reportIf } from "./rules.ts"

const clockToleranceMs = 60_000

export type Begun = Pick<PaymentException, "payment" | "returns">

export class Moves {
  /** The versions of charges and exceptions that a committed move replaced. */
  readonly #from = new Set<string>()
  /** Until when each payment that is decided as an exception can't settle a charge. */
  readonly #dealtWith = new Map<string, number>()
  /** The payments that settled each charge, in order. */
  readonly #settling = new Map<string, ReadonlyArray<string>>()
  readonly #refunds = new Set<string>()
  /** The number of returns of each version of a charge or an exception. */
  readonly #returns = new Map<string, number>()

  setBack(): void {
    for (const known of [this.#from, this.#dealtWith, this.#settling, this.#returns]) known.clear()
  }

  judgeWrite({ moveFrom, movedTo, movedBy = 1, dealtWith }: Write): ReadonlyArray<Violation> {
    if (dealtWith !== undefined) this.#dealtWith.set(dealtWith.endToEndId, dealtWith.until)
    if (moveFrom === undefined) return []
    const isTwice = this.#from.has(moveFrom)
    this.#from.add(moveFrom)
    return broken("oneMoveFromEachVersion", [
      ...reportIf(isTwice, `${moveFrom} was moved from twice`),
      ...reportIf(
        movedTo !== undefined && !moveFrom.endsWith(` v${movedTo - movedBy}`),
        `${moveFrom} was moved to v${movedTo}`,
      ),
    ])
  }

  hasSettled(endToEndId: string): boolean {
    return [...this.#settling.values()].flat().includes(endToEndId)
  }

  /** One payment settles a charge, unless another `replaces` it. It must not be decided as an exception. */
  judgePayment(
    charge: Pick<SettledCharge, "issuer" | "id" | "payment">,
    now: number,
    replaces: (before: string) => boolean,
  ): ReadonlyArray<Violation> {
    const { endToEndId } = charge.payment
    const known = this.#settling.get(chargeKey(charge)) ?? []
    const last = known.at(-1)
    const isOther = last !== undefined && last !== endToEndId && !replaces(last)
    if (last !== endToEndId && !isOther) this.#settling.set(chargeKey(charge), [...known, endToEndId])
    const [name, by] = [chargeName(charge), shortName(endToEndId)]
    const isDealtWith = now + 2 * clockToleranceMs < (this.#dealtWith.get(endToEndId) ?? 0)
    return broken("stateFollowsFromMoney", [
      ...reportIf(isOther, `${name} was settled by ${shortName(last ?? "")}, and now by ${by}`),
      ...reportIf(isDealtWith, `${name} is settled by ${by}, which is an exception's`),
    ])
  }

  /** A refund can begin only for the refundable amount, although a dispute can return that amount later. */
  judgeRefund({ payment, returns }: Begun, { id }: Refund, amountCents: number): ReadonlyArray<Violation> {
    if (this.#refunds.has(id)) return []
    this.#refunds.add(id)
    const back = backCents(payment, returns)
    const what = `${amountCents} cents of ${shortName(payment.endToEndId)} are to be returned, but ${back} were returned already`
    return broken("neverMoreBackThanPaid", reportIf(back + amountCents > payment.amountCents, what))
  }

  /** One version always has the same returns: a new return makes a new version, so older decisions are stale. */
  judgeReturns(
    owner: string,
    { version, returns: { length: count } }: Pick<Charge | PaymentException, "version" | "returns">,
  ): ReadonlyArray<Violation> {
    const name = `${owner} v${version}`
    const first = this.#returns.get(name) ?? count
    this.#returns.set(name, first)
    return broken("oneMoveFromEachVersion", reportIf(first !== count, `${name} has ${count} returns, and had ${first}`))
  }
}
