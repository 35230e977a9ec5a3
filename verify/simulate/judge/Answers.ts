import type { Period } from "@pixcharge/core"
import type { BegunPartialRefund, Comparison } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import type { Charge, IssuedCharge, PaymentException } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { unlistedMs } from "./ProcessorCalls.ts"
import { bankCharge, isPartBack } from "./money.ts"
import { chargeKey, shortName, txidOf } from "./names.ts"
import type { Evidence } from "./Evidence.ts"
import type { Rule } from "./rules.ts"

interface Standing {
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

export interface Reading {
  readonly execute: <A, E>(doing: Effect.Effect<A, E>, onEnd: (exit: Exit.Exit<A, E>) => void) => void
}

/** Judges answers to clients: they are true at the bank, and the books contain each state or a later version of it. */
export class Answers {
  /** By company and charge. */
  readonly #first = new Map<string, IssuedCharge>()
  readonly issued = new Map<string, IssuedCharge>()
  readonly #evidence: Evidence
  readonly #reading: Reading
  readonly #report: (rule: Rule, what: string) => void

  constructor(evidence: Evidence, reading: Reading, report: (rule: Rule, what: string) => void) {
    this.#evidence = evidence
    this.#reading = reading
    this.#report = report
  }

  setBack(): void {
    this.#first.clear()
  }

  readonly charge = (charge: Charge): void => {
    const { issuer, id, version, _tag } = charge
    this.#mustHaveMoney(charge)
    this.#mustBeStored(shortName(id), { version, _tag }, this.#evidence.books.charge(issuer, id))
  }

  /** Accepts a missing exception, because its payment can have become a charge's. */
  readonly exception = ({ payment: { issuer, endToEndId }, version, state }: PaymentException): void => {
    const answered = { version, _tag: state._tag }
    const read = Effect.map(this.#evidence.books.exception(issuer, endToEndId), (stored) =>
      stored === undefined ? answered : { version: stored.version, _tag: stored.state._tag },
    )
    this.#mustBeStored(`exception ${shortName(endToEndId)}`, answered, read)
  }

  #mustBeStored(name: string, answered: Standing, read: Effect.Effect<Standing | undefined, unknown>): void {
    this.#reading.execute(read, (exit) => {
      if (Exit.isFailure(exit)) return
      const { version, _tag } = exit.value ?? { version: 0, _tag: "unknown" }
      if (version > answered.version || (version === answered.version && _tag === answered._tag)) return
      const what = `${name} was answered as ${answered._tag} v${answered.version}, but is ${_tag} v${version} in the books`
      this.#report("answersAreStored", what)
    })
  }

  /** A charge's id always gets the same answer, with the requested terms and a code that the bank knows. */
  readonly endIssue = (
    issued: IssuedCharge,
    requestedCents: number,
    { now, isChanged }: { readonly now: number; readonly isChanged: boolean },
  ): void => {
    this.charge(issued)
    const name = shortName(issued.txid)
    const answer = lastingAnswer(issued, isChanged)
    const first = lastingAnswer(this.#first.get(chargeKey(issued)) ?? issued, isChanged)
    if (!this.#first.has(chargeKey(issued))) this.#first.set(chargeKey(issued), issued)
    this.issued.set(chargeKey(issued), issued)
    if (answer !== first) this.#report("firstAnswerStands", `${name} was answered as ${first} and then as ${answer}`)
    const { issuer, amountCents, txid, id } = issued
    // A repeat of the first request is answered with the terms in force.
    const firstCents = issued.termsRows?.[0]?.amountCents ?? amountCents
    if (amountCents !== requestedCents && firstCents !== requestedCents) {
      this.#report(
        "firstAnswerStands",
        `${name} was requested with ${requestedCents} cents and returned with ${amountCents}`,
      )
    }
    const status = bankCharge(this.#evidence, issued)?.status
    if (status === undefined || status === "making") {
      this.#report("bankAsksForTerms", `${name} was issued, but is not at the bank`)
    }
    if (issued._tag === "Pending" && now > issued.payableUntil + clockToleranceMs) {
      this.#report("bankAsksForTerms", `${name} was issued, but has expired`)
    }
    if (txid !== txidOf(issuer, id)) this.#report("bankAsksForTerms", `${name} has the txid ${txid}`)
  }

  /** A part is reported as returned only if the bank has returned the requested cents. */
  readonly part = (
    { charge, partialRefund }: BegunPartialRefund,
    requestedKey: string,
    requestedCents: number,
  ): void => {
    const { ledger } = this.#evidence
    this.charge(charge)
    const { key, amountCents } = partialRefund
    const returns = ledger.payments.get(charge.payment.endToEndId)?.returns ?? []
    const rows = returns.filter(({ status }) => status === "returned")
    const isOther = key !== requestedKey || amountCents !== requestedCents
    if (isOther || (isPartBack(partialRefund, charge.returns) && !isPartBack(partialRefund, rows))) {
      this.#report(
        "onceForEachKey",
        `part ${requestedKey} of ${shortName(charge.txid)} is reported as returned, but is not`,
      )
    }
  }

  /**
   * A comparison without unreadable entries must have each payment that the bank listed at the request, and the
   * differences.
   */
  readonly endComparison = ({ rows, unreadable, others }: Comparison, issuer: Cnpj, { from, until }: Period): void => {
    const { ledger, accounts, listsAfterMs } = this.#evidence
    if (unreadable > 0) return
    const listedUntil = until - Math.max(listsAfterMs, unlistedMs)
    for (const payment of ledger.payments.values()) {
      const { endToEndId: id, paidAt, amountCents } = payment
      if (payment.issuer !== accounts.holder(issuer) || paidAt < from || paidAt >= listedUntil) continue
      const row = rows.find(({ endToEndId }) => endToEndId === id)
      const owners = accounts.owners(payment)
      if (!owners.includes(issuer)) {
        const isListed = others.some((one) => one.endToEndId === id) || accounts.named(payment) === undefined
        if (row !== undefined || !isListed)
          this.#report("comparedMeansRecorded", `${shortName(id)} is another company's`)
        continue
      }
      if (owners.length > 1) continue
      const isSame = row?.bank?.amountCents === amountCents
      const isSaid = (row?.books === undefined) === row?.differences.includes("missingInBooks")
      if (!isSame || !isSaid)
        this.#report("comparedMeansRecorded", `${shortName(id)} is missing in a comparison without unreadable entries`)
    }
  }

  #mustHaveMoney(charge: Charge): void {
    if (charge._tag !== "Paid") return
    const { endToEndId: id, amountCents } = charge.payment
    const bank = this.#evidence.ledger.payments.get(id)
    if (
      bank === undefined ||
      !this.#evidence.accounts.mayOwn(charge.issuer, bank) ||
      bank.txid !== charge.txid ||
      bank.amountCents !== amountCents
    ) {
      const what = `${shortName(charge.txid)} is reported as paid, but the bank has no money for it`
      this.#report("paidMeansMoney", what)
    }
  }
}
