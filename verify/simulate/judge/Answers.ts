import type { Period } from "@pixcharge/core"
import type { BegunPartialRefund, Comparison } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import type { Charge, IssuedCharge, PaymentException } from "@pixcharge/core/charges"
import type { Ledger } from "@pixcharge/simulated-bank"
import { unlistedMs } from "./ListWalks.ts"
import { bankCharge, isPartBack } from "./money.ts"
import { chargeKey, shortName } from "./names.ts"
import { txidOf } from "./txids.ts"
import type { Accounts } from "./Accounts.ts"
import type { Rule } from "./rules.ts"

export interface Standing {
  readonly version: number
  readonly _tag: string
}

/** A change of the charge can replace its code, its cents and its due date. */
const lastingAnswer = (
  { txid, transactionId, brCode, amountCents, dueDate, createdAt }: IssuedCharge,
  isChanged: boolean,
): string => JSON.stringify([txid, transactionId, createdAt, ...(isChanged ? [] : [brCode, amountCents, dueDate])])

/** The maximum difference of clocks. */
const clockToleranceMs = 60_000

interface AnswersWorld {
  readonly ledger: Ledger
  readonly accounts: Accounts
  readonly listsAfterMs: number
  readonly report: (rule: Rule, what: string) => void
  readonly mustBeStored: {
    readonly charge: (charge: Charge) => void
    readonly exception: (exception: PaymentException) => void
  }
}

export class Answers {
  /** By company and charge. */
  readonly #first = new Map<string, IssuedCharge>()
  readonly #world: AnswersWorld

  readonly issued = new Map<string, IssuedCharge>()

  constructor(world: AnswersWorld) {
    this.#world = world
  }

  setBack(): void {
    this.#first.clear()
  }

  readonly charge = (charge: Charge): void => {
    this.#mustHaveMoney(charge)
    this.#world.mustBeStored.charge(charge)
  }

  readonly exception = (exception: PaymentException): void => this.#world.mustBeStored.exception(exception)

  /** A charge's id always gets the same answer, with the requested terms and a code that the bank knows. */
  readonly endIssue = (
    issued: IssuedCharge,
    requestedCents: number,
    { now, isChanged }: { readonly now: number; readonly isChanged: boolean },
  ): void => {
    const { report } = this.#world
    this.charge(issued)
    const name = shortName(issued.txid)
    const answer = lastingAnswer(issued, isChanged)
    const first = lastingAnswer(this.#first.get(chargeKey(issued)) ?? issued, isChanged)
    if (!this.#first.has(chargeKey(issued))) this.#first.set(chargeKey(issued), issued)
    this.issued.set(chargeKey(issued), issued)
    if (answer !== first) report("firstAnswerStands", `${name} was answered as ${first} and then as ${answer}`)
    const { issuer, amountCents, txid, id } = issued
    // A repeat of the first request is answered with the terms in force.
    const firstCents = issued.termsRows?.[0]?.amountCents ?? amountCents
    if (amountCents !== requestedCents && firstCents !== requestedCents) {
      report("firstAnswerStands", `${name} was requested with ${requestedCents} cents and returned with ${amountCents}`)
    }
    const status = bankCharge(this.#world, issued)?.status
    if (status === undefined || status === "making") {
      report("bankAsksForTerms", `${name} was issued, but is not at the bank`)
    }
    if (issued._tag === "Pending" && now > issued.payableUntil + clockToleranceMs) {
      report("bankAsksForTerms", `${name} was issued, but has expired`)
    }
    if (txid !== txidOf(issuer, id)) report("bankAsksForTerms", `${name} has the txid ${txid}`)
  }

  /** A part is reported as returned only if the bank has returned the requested cents. */
  readonly part = (
    { charge, partialRefund }: BegunPartialRefund,
    requestedKey: string,
    requestedCents: number,
  ): void => {
    const { ledger, report } = this.#world
    this.charge(charge)
    const { key, amountCents } = partialRefund
    const returns = ledger.payments.get(charge.payment.endToEndId)?.returns ?? []
    const rows = returns.filter(({ status }) => status === "returned")
    const isOther = key !== requestedKey || amountCents !== requestedCents
    if (isOther || (isPartBack(partialRefund, charge.returns) && !isPartBack(partialRefund, rows))) {
      report("onceForEachKey", `part ${requestedKey} of ${shortName(charge.txid)} is reported as returned, but is not`)
    }
  }

  /**
   * A comparison without unreadable entries must have each payment that the bank listed at the request, and the
   * differences.
   */
  readonly endComparison = ({ rows, unreadable, others }: Comparison, issuer: Cnpj, { from, until }: Period): void => {
    const { ledger, accounts, listsAfterMs, report } = this.#world
    if (unreadable > 0) return
    const listedUntil = until - Math.max(listsAfterMs, unlistedMs)
    for (const payment of ledger.payments.values()) {
      const { endToEndId: id, paidAt, amountCents } = payment
      if (payment.issuer !== accounts.holder(issuer) || paidAt < from || paidAt >= listedUntil) continue
      const row = rows.find(({ endToEndId }) => endToEndId === id)
      const owners = accounts.owners(payment)
      if (!owners.includes(issuer)) {
        const isListed = others.some((one) => one.endToEndId === id) || accounts.named(payment) === undefined
        if (row !== undefined || !isListed) report("comparedMeansRecorded", `${shortName(id)} is another company's`)
        continue
      }
      if (owners.length > 1) continue
      const isSame = row?.bank?.amountCents === amountCents
      const isSaid = (row?.books === undefined) === row?.differences.includes("missingInBooks")
      if (!isSame || !isSaid)
        report("comparedMeansRecorded", `${shortName(id)} is missing in a comparison without unreadable entries`)
    }
  }

  #mustHaveMoney(charge: Charge): void {
    if (charge._tag !== "Paid") return
    const { endToEndId: id, amountCents } = charge.payment
    const bank = this.#world.ledger.payments.get(id)
    if (
      bank === undefined ||
      !this.#world.accounts.mayOwn(charge.issuer, bank) ||
      bank.txid !== charge.txid ||
      bank.amountCents !== amountCents
    ) {
      const what = `${shortName(charge.txid)} is reported as paid, but the bank has no money for it`
      this.#world.report("paidMeansMoney", what)
    }
  }
}
