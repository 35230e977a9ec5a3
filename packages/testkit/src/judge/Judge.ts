import type {
  ClaimedReconciliation,
  PaymentPage,
  PaymentSearch,
  Period,
  ReceivedPayment,
  RefundOrder,
  Settlement,
} from "@pixcharge/core"
import type { Charge, PaymentException, Refund } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import type { LedgerPayment, ReturnOrder } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Answers } from "./Answers.ts"
import { findMissingReturns, judgeMovedCharge } from "./chargeWriteRules.ts"
import { checkRules } from "./checkRules.ts"
import { Checks } from "./Checks.ts"
import { Comparisons } from "./Comparisons.ts"
import { chargesBehind } from "./chargesBehind.ts"
import { auditAll, auditCharge, auditException } from "./audit.ts"
import { describeWrite, type StoreCall, type Write } from "./describeWrite.ts"
import type { Evidence } from "./Evidence.ts"
import { findUnrestored } from "./findUnrestored.ts"
import { Deliveries, type SentEvent } from "./Deliveries.ts"
import { type Ask, Looks } from "./Looks.ts"
import { Leases } from "./Leases.ts"
import { ListWalks } from "./ListWalks.ts"
import { type ComparedFacts, comparedFacts, reconciledFacts } from "./listRules.ts"
import { type Facts, lostFacts } from "./lostFacts.ts"
import { bankCharge, liveParts } from "./money.ts"
import { type Begun, Moves } from "./Moves.ts"
import { chargeKey, paymentKey, shortName } from "./names.ts"
import { mayBeAdopted } from "./paymentRules.ts"
import { RefundCalls, type StoredRefund, storedRefunds } from "./RefundCalls.ts"
import { Refusals } from "./Refusals.ts"
import { type Requested, refusalRules } from "./refusalRules.ts"
import { Requests } from "./Requests.ts"
import { processorRules, type SeenWord } from "./processorRules.ts"
import { judge, type Rule, type Violation } from "./rules.ts"
import { Standings } from "./Standings.ts"
import { type Reading, StoredAnswers } from "./StoredAnswers.ts"

/** The clock and the history. */
interface JudgedWorld {
  /** Epoch milliseconds. */
  readonly now: number
  readonly note: (actor: string, what: string) => void
}

const usualWays = { creationAheadMs: 0, paymentsInCharges: true }

/**
 * Compares the books with the bank's ledger and the receivers' after every write, and the answers to clients with the books.
 * It knows the rules only from `docs/internals/decisions.md`, and runs none of the judged code.
 */
export class Judge {
  readonly violations: Array<Violation> = []
  /** The answers to clients. */
  readonly answers: Answers
  /** The requests of clients. */
  readonly requests = new Requests()
  readonly #world: JudgedWorld
  readonly #reading: Reading
  readonly #evidence: Evidence
  readonly #leases = new Leases()
  readonly #deliveries = new Deliveries()
  readonly #lists = new ListWalks()
  /** When an unpaid charge was last made due for a check, by txid: epoch milliseconds. */
  readonly #madeDueAt = new Map<string, number>()
  readonly #checks = new Checks()
  readonly #looks = new Looks()
  readonly #comparisons = new Comparisons()
  readonly #refundCalls = new RefundCalls()
  readonly #charges = new Standings<Charge>()
  readonly #exceptions = new Standings<PaymentException>()
  readonly #refusals = new Refusals()
  readonly #moves = new Moves()
  /** Whether clients have repeated their charges, and the operator has compared each company, since the last restore. */
  isRestored = false
  #setBackAt = Number.NEGATIVE_INFINITY
  /** When a store call last failed at each process. */
  readonly #storeFailedAt = new Map<string, number>()

  constructor(world: JudgedWorld, reading: Reading, evidence: Evidence) {
    this.#world = world
    this.#reading = reading
    this.#evidence = evidence
    const mustBeStored = new StoredAnswers(evidence.books, reading, this.report)
    this.answers = new Answers({ ...evidence, report: this.report, mustBeStored })
  }

  readonly report = (rule: Rule, what: string): void => {
    this.#world.note("!", `${rule}: ${what}`)
    this.violations.push({ rule, what })
  }

  readonly #reportAll = (found: ReadonlyArray<Violation>): void => {
    for (const { rule, what } of found) this.report(rule, what)
  }

  /** A store call has arrived. The returned function takes the call with its answer when it was carried out. */
  readonly beginStoreCall = (caller: { readonly name: string }): ((call: StoreCall) => void) => {
    const leases = this.#leases.last
    const tokens = this.#comparisons.tokens
    return (call) => {
      const { now } = this.#world
      for (const what of this.#leases.judgeCall(call, leases, caller.name, now)) this.report("leasesFence", what)
      this.#reportAll(this.#comparisons.judgeCall(call, tokens, now))
      this.#reportAll([...this.#checks.judgeClaim(call), ...this.#checks.judgeInsert(call, now)])
      if (call.method === "settle") {
        this.#reportAll(this.#deliveries.judgeSettlements(call.args[0] as ReadonlyArray<Settlement>))
      }
      if (call.method === "replay") this.#deliveries.forgetAnswers()
      this.#looks.recordClaims(call, caller.name, now)
      if (call.method.startsWith("schedule")) this.#read(this.#checkScheduled(call, caller.name))
      const { books } = this.#evidence
      if (call.port === "reconciliations" && call.method === "claim" && call.answer !== undefined) {
        const { issuer } = call.answer as ClaimedReconciliation
        this.#read(Effect.map(books.charges(issuer), (all) => this.#comparisons.recordTurn(call, all)))
      }
      if (call.method === "scheduleCharge") this.#madeDueAt.set((call.args[0] as Charge).txid, this.#world.now)
      const compared = comparedFacts(call, this.#evidence, now)
      if (compared !== undefined) this.#checkCompared(compared)
      const written = describeWrite(call)
      if (written !== undefined) this.judgeWrite(caller, written)
    }
  }

  /** Judges a described write. */
  judgeWrite(caller: { readonly name: string }, written: Write): void {
    this.#world.note(caller.name, written.what)
    const { charge, exception, movedTo, facts } = written
    this.#reportAll(this.#moves.judgeWrite(written))
    if (facts !== undefined) this.#read(Effect.andThen(this.#checkFacts(facts), this.#noteReturned(facts)))
    if (charge !== undefined) this.#read(this.#check(charge, written, caller.name))
    if (exception === undefined) return
    this.#read(this.#checkException(exception.issuer, exception.endToEndId, movedTo, caller.name))
  }

  /** The store was set back: it has lost its last writes, and answers about them are no promise. */
  setBack(): void {
    this.answers.setBack()
    this.requests.setBack(this.#evidence.ledger.payments.values())
    const known = [this.#deliveries, this.#leases, this.#checks, this.#looks, this.#comparisons, this.#refundCalls]
    for (const forgets of [...known, this.#moves, this.#charges, this.#exceptions]) forgets.setBack()
    this.#setBackAt = this.#world.now
  }

  /** Finds all that is wrong after the faults and enough time. */
  auditAll() {
    const { ledger, tellsFailures } = this.#evidence
    const found = auditAll(this.#evidence, this.#world.now, {
      repeatedRequests: this.requests.repeatedRequests,
      learntFailures: tellsFailures === true ? this.#refundCalls.learntFailures(ledger) : [],
      setBackAt: this.#setBackAt,
    })
    if (!this.isRestored) return found
    return Effect.zipWith(found, findUnrestored(this.#evidence, this.answers.issued.values()), (a, b) => [...a, ...b])
  }

  /** A process is given a notice of this payment, about which it asks the bank. */
  readonly beginNotice = ({ name }: { readonly name: string }, endToEndId: string): void =>
    this.#refundCalls.recordShown(name, endToEndId, this.#world.now)

  /**
   * A process has taken a notice that arrived at `since`: its payment and returns must be in the books, or its charge
   * was made due for a check meanwhile.
   */
  readonly endNotice = (received: ReceivedPayment, since: number): void => {
    const { issuer, endToEndId, txid = "", returns } = received
    const payment = this.#evidence.ledger.payments.get(endToEndId)
    const isOurs = payment !== undefined && this.#evidence.accounts.mayOwn(issuer, payment)
    if (!isOurs || (this.#madeDueAt.get(txid) ?? -1) >= since) return
    this.#read(this.#checkFacts({ issuer, payments: [{ endToEndId }], returns }))
  }

  /** A client was told that this whole period is in the books. */
  readonly endReconcile = (issuer: Cnpj, period: Period): void => {
    this.#checkCompared(reconciledFacts(this.#evidence, issuer, period))
  }

  /** Compared payments must be in the books, and earlier charges in the state that follows from them. */
  #checkCompared(facts: ComparedFacts): void {
    this.#read(this.#checkFacts(facts, "comparedMeansRecorded"))
    const isFree = (endToEndId: string): boolean => {
      const states = this.#exceptions.since(paymentKey({ issuer: facts.issuer, endToEndId }), facts.until)
      return states.length > 0 && states.every(mayBeAdopted)
    }
    const judged = Effect.map(chargesBehind(this.#evidence.books, facts, isFree), (behind) => {
      for (const behindIt of behind) {
        const { txid, _tag } = behindIt
        const states = this.#charges.since(chargeKey(behindIt), facts.until)
        const isBehind = states.length > 0 && states.every((charge) => charge._tag === _tag)
        if (isBehind)
          this.report("comparedMeansRecorded", `${shortName(txid)} was compared with the bank, and is ${_tag}`)
      }
    })
    this.#read(judged)
  }

  /** A return is requested; the bank has not decided yet. */
  readonly judgeReturnOrder = (payment: LedgerPayment, order: ReturnOrder): void =>
    this.#reportAll(this.requests.judgeOrder(payment, order, this.#findTwins(payment)))

  /** The other payments of the same charge. */
  #findTwins({ issuer, txid, endToEndId }: LedgerPayment): ReadonlyArray<LedgerPayment> {
    if (txid === undefined) return []
    const all = [...this.#evidence.ledger.payments.values()]
    return all.filter((one) => one.issuer === issuer && one.txid === txid && one.endToEndId !== endToEndId)
  }

  /** A process calls its processor. */
  readonly beginProcessorCall = (ask: Ask): void => {
    this.#looks.begin(ask)
    if (ask.method !== "refund") return
    const order = ask.args[0] as RefundOrder
    const payment = this.#evidence.ledger.payments.get(order.endToEndId)
    if (payment !== undefined && !this.#evidence.accounts.mayOwn(order.issuer, payment)) {
      this.report(
        "refundsFollowRequests",
        `${order.issuer} returns ${shortName(order.endToEndId)}, which is not its own`,
      )
    }
    const wrong = this.#refundCalls.judgeCall(order, this.#world.now)
    if (!this.requests.hasForgotten(order.endToEndId)) for (const what of wrong) this.report("refusalsAreFinal", what)
  }

  /** A processor's call has ended. */
  readonly endProcessorCall = (
    word: Omit<SeenWord, "ledger" | "accounts" | "listsAfterMs" | "ways" | "now"> & Ask,
  ): void => {
    const { ledger, accounts, listsAfterMs, ways = usualWays } = this.#evidence
    const { now } = this.#world
    this.#looks.end(word, word.failure === undefined, now)
    if (word.failure === undefined) this.#refundCalls.recordAnswer(word)
    if (word.method === "payments" && word.failure === undefined) {
      const [issuer, search, cursor] = word.args as readonly [Cnpj, PaymentSearch, string?]
      this.#comparisons.read(issuer, search, cursor, word.answer as PaymentPage)
    }
    const seen: SeenWord = { ...word, ledger, accounts, listsAfterMs, ways, now }
    this.#reportAll(judge(processorRules, seen))
    if (word.method === "payments") for (const what of this.#lists.missing(seen)) this.report("bankIsQuoted", what)
    this.#refusals.recordAnswer(seen)
  }

  /** A call for a return arrives at the bank; one that its processor reported as refused must not. */
  readonly judgeReturnCall = ({ name }: { readonly name: string }, id: string, sentAt: number): void => {
    for (const what of this.#refusals.judgeArrival(name, id, sentAt)) this.report("bankIsQuoted", what)
  }

  /** A process sends an event. */
  readonly beginDelivery = (sent: SentEvent): void => {
    const { event, endpointId, at, by } = sent
    if (!this.#leases.holds(by, { issuer: event.issuer, endpointId }, at)) {
      this.report("leasesFence", `${by} sends to ${endpointId} what it has no lease for`)
    }
    this.#reportAll(this.#deliveries.judgeAttempt(sent, this.#findTurn(sent)))
  }

  /** A sent event was answered or given up. */
  readonly endDelivery = (sent: SentEvent): void => this.#deliveries.endAttempt(sent, this.#findTurn(sent))

  #findTurn({ event: { issuer }, endpointId }: SentEvent): number {
    return this.#leases.turn({ issuer, endpointId })
  }

  /** A store call has failed at this process. */
  readonly recordStoreFailure = ({ name }: { readonly name: string }): void =>
    void this.#storeFailedAt.set(name, this.#world.now)

  /** A call since then failed with this error: if that blames the store, a store call must have failed. */
  readonly judgeFailure = (tag: string, { name }: { readonly name: string }, since: number): void => {
    if (tag !== "StoreUnavailable" || (this.#storeFailedAt.get(name) ?? -Infinity) >= since) return
    this.report("refusalsAreTrue", `${name} says that the store failed, which has answered all of its calls`)
  }

  /** A call since then was refused with this error. */
  readonly judgeRefusal = (tag: string, requested: Requested, since: number): void => {
    const { issuer, id, endToEndId = "" } = requested
    const charges = id === undefined ? [] : this.#charges.since(chargeKey({ issuer, id }), since)
    const [charge] = charges
    const bank = charge && bankCharge(this.#evidence, { issuer, txid: charge.txid })
    const isPaidAtBank = bank?.status === "completed"
    const exceptions = this.#moves.hasSettled(endToEndId)
      ? []
      : this.#exceptions.since(paymentKey({ issuer, endToEndId }), since)
    this.#reportAll(judge(refusalRules, { tag, requested, charges, exceptions, isPaidAtBank, now: this.#world.now }))
  }

  #read(check: Effect.Effect<void, unknown>): void {
    this.#reading.carryOut(check, (exit) => {
      if (Exit.isFailure(exit)) this.report("noDefects", `the books can't be read: ${String(exit.cause)}`)
    })
  }

  /** The companies that share the company's account. */
  #sharing(issuer: Cnpj): ReadonlyArray<Cnpj> {
    const { companies, accounts } = this.#evidence
    return companies.filter((one) => accounts.holder(one) === accounts.holder(issuer))
  }

  #checkFacts(facts: Facts, rule: Rule = "factsAreRecorded"): Effect.Effect<void, unknown> {
    return Effect.map(lostFacts(this.#evidence.books, facts, this.#sharing(facts.issuer)), (missing) => {
      for (const what of missing) this.report(rule, `${what} is not in the books`)
    })
  }

  /** A check of a charge or an exception was scheduled. */
  #checkScheduled(call: StoreCall, caller: string): Effect.Effect<void, unknown> {
    const { charge, exception } = this.#evidence.books
    const read = call.args[0] as Charge | PaymentException
    const owner: Effect.Effect<Charge | PaymentException | undefined, unknown> =
      "id" in read ? charge(read.issuer, read.id) : exception(read.payment.issuer, read.payment.endToEndId)
    return Effect.map(owner, (of) => {
      if (of === undefined) return
      this.#reportAll(this.#checks.judgeSchedule(call, of))
      const failedAt = this.#storeFailedAt.get(caller) ?? -Infinity
      this.#reportAll(this.#looks.judgeSchedule(call, of, caller, this.#world.now, failedAt))
      this.#reportAll(judge(checkRules, { of, now: this.#world.now }))
    })
  }

  #check(
    { issuer, id }: Pick<Charge, "issuer" | "id">,
    { movedTo, facts }: Pick<Write, "movedTo" | "facts">,
    caller: string,
  ): Effect.Effect<void, unknown> {
    return Effect.gen({ self: this }, function* () {
      const charge = yield* this.#evidence.books.charge(issuer, id)
      if (charge === undefined) return
      const { now } = this.#world
      if ("payment" in charge) this.#reportAll(this.#moves.judgePayment(charge, charge.payment.endToEndId, now))
      this.#reportAll(yield* auditCharge(this.#evidence, charge))
      this.#reportAll(this.requests.judgeCharge(charge))
      this.#deliveries.recordCharge(charge, now)
      this.#checks.charge(charge)
      this.#checks.endLease(chargeKey(charge))
      this.#charges.add(chargeKey(charge), now, charge)
      this.#reportAll(judge(checkRules, { of: charge, now }))
      if (!("payment" in charge)) return
      this.#reportAll(this.#moves.judgeReturns(shortName(charge.txid), charge))
      this.#reportAll(findMissingReturns(charge, facts))
      if (charge.version !== movedTo) return
      this.#storedRefunds(storedRefunds(charge), caller)
      if (charge._tag === "Refunding") this.#checkBegun(charge, charge.refund, charge.payment.amountCents)
      const live = liveParts(charge)
      for (const { refund, amountCents } of live) this.#checkBegun(charge, refund, amountCents)
      this.#reportAll(judgeMovedCharge(charge, live.length))
    })
  }

  #storedRefunds(refunds: ReadonlyArray<StoredRefund>, caller: string): void {
    const beside = this.#refundCalls.judgeTogether(refunds, this.#world.now)
    const isKnown = refunds.every(({ payment }) => !this.requests.hasForgotten(payment.endToEndId))
    if (isKnown) for (const what of beside) this.report("oneLiveRefund", what)
    for (const refund of refunds) {
      const mayBeForgotten = this.requests.hasForgotten(refund.payment.endToEndId)
      const { ledger } = this.#evidence
      this.#reportAll(this.#refundCalls.judgeStored(refund, caller, ledger, this.#world.now, mayBeForgotten))
    }
  }

  #checkException(issuer: Cnpj, id: string, movedTo: number | undefined, caller: string): Effect.Effect<void, unknown> {
    return Effect.map(this.#evidence.books.exception(issuer, id), (exception) => {
      if (exception === undefined) return
      this.#reportAll(auditException(this.#evidence, exception))
      const { payment, state, version } = exception
      const { now } = this.#world
      this.#checks.exception(exception)
      this.#checks.endLease(paymentKey({ issuer, endToEndId: id }))
      this.#exceptions.add(paymentKey(exception.payment), now, exception)
      this.#reportAll(judge(checkRules, { of: exception, now }))
      this.#reportAll(this.#moves.judgeReturns(`exception ${shortName(id)} of ${exception.payment.issuer}`, exception))
      if (version !== movedTo) return
      this.#storedRefunds(storedRefunds(exception), caller)
      if (state._tag === "Refunding") this.#checkBegun(exception, state.refund, payment.amountCents)
    })
  }

  /** An exception's returns may arrive with the charge of its payment. */
  #noteReturned({ issuer, returns }: Facts): Effect.Effect<void, unknown> {
    const { now } = this.#world
    return Effect.forEach(
      new Set(returns.map(({ endToEndId }) => endToEndId)),
      (id) =>
        Effect.map(this.#evidence.books.exception(issuer, id), (exception) => {
          if (exception === undefined) return
          this.#exceptions.add(paymentKey(exception.payment), now, exception)
          this.#reportAll(
            this.#moves.judgeReturns(`exception ${shortName(id)} of ${exception.payment.issuer}`, exception),
          )
        }),
      { discard: true },
    )
  }

  #checkBegun(owner: Begun, refund: Refund, amountCents: number): void {
    const wrong = this.#moves.judgeRefund(owner, refund, amountCents)
    if (!this.requests.hasForgotten(owner.payment.endToEndId)) this.#reportAll(wrong)
  }
}
