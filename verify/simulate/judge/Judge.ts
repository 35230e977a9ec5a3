import type {
  ClaimedReconciliation,
  Committed,
  DeliveryKey,
  NewDelivery,
  Period,
  ReceivedPayment,
  Settlement,
} from "@pixcharge/core"
import type { Charge, IssuedCharge } from "@pixcharge/core/charges"
import type { ChangedTerms } from "@pixcharge/core/internal"
import type { Endpoint } from "@pixcharge/core/directory"
import type { Cnpj } from "@pixcharge/core/party"
import type { LedgerCharge } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Answers, type Reading } from "./Answers.ts"
import type { RequestedChange } from "./Changes.ts"
import { auditAll } from "./audit.ts"
import { describeWrite, type StoreCall, type Write } from "./describeWrite.ts"
import type { Evidence, SentEvent } from "./Evidence.ts"
import { bankCharge } from "./money.ts"
import { adoptionRules } from "./ownerRules.ts"
import { chargeKey, paymentKey, txidOf } from "./names.ts"
import { ProcessorCalls } from "./ProcessorCalls.ts"
import { type ComparedFacts, comparedFacts, judgeCompared, judgeRecorded, reconciledFacts } from "./RecordedFacts.ts"
import { type Requested, refusalRules } from "./refusalRules.ts"
import { judge, type Rule, type Violation } from "./rules.ts"
import { type Judging, Memory } from "./Memory.ts"
import { WrittenStates } from "./WrittenStates.ts"

/** How old a process's knowledge of a key's owner can be. */
const keyMs = 15 * 60_000

/**
 * After every write, compares the books with the ledgers of the bank and the receivers, and the answers to clients with
 * the books. The rules come from `docs/internals/decisions.md`. The judge doesn't run the judged code.
 */
export class Judge extends Memory implements Judging {
  readonly violations: Array<Violation> = []
  readonly world: Judging["world"]
  readonly evidence: Evidence
  readonly answers: Answers
  readonly processor: ProcessorCalls
  readonly #reading: Reading
  /** When an unpaid charge's check was last made due, by txid. */
  readonly #madeDueAt = new Map<string, number>()
  readonly #written: WrittenStates
  /**
   * True once clients have repeated their charges and the operator has compared each company since the last restore.
   */
  isRestored = false
  #setBackAt = Number.NEGATIVE_INFINITY

  constructor(world: Judging["world"], reading: Reading, evidence: Evidence) {
    super()
    this.world = world
    this.#reading = reading
    this.evidence = evidence
    this.answers = new Answers(evidence, reading, this.report)
    this.processor = new ProcessorCalls(this)
    this.#written = new WrittenStates(this)
  }

  readonly report = (rule: Rule, what: string): void => {
    this.world.note("!", `${rule}: ${what}`)
    this.violations.push({ rule, what })
  }

  readonly reportAll = (found: ReadonlyArray<Violation>): void => {
    for (const { rule, what } of found) this.report(rule, what)
  }

  /** Called when a store call arrives. The returned function takes the executed call with its answer. */
  readonly beginStoreCall = (caller: { readonly name: string }): ((call: StoreCall) => void) => {
    const leases = this.leases.last
    const tokens = this.comparisons.tokens
    return (call) => {
      const { now } = this.world
      for (const what of this.leases.judgeCall(call, leases, caller.name, now)) this.report("leasesFence", what)
      this.reportAll(this.comparisons.judgeCall(call, tokens, now))
      this.reportAll([...this.checks.judgeClaim(call), ...this.checks.judgeInsert(call, now)])
      if (call.method === "settle") {
        const settlements = call.args[0] as ReadonlyArray<Settlement>
        this.reportAll(
          this.deliveries.judgeSettlements(caller.name, settlements, call.answer as ReadonlyArray<DeliveryKey>),
        )
        for (const { fate, eventId } of settlements) {
          if (fate._tag === "Dead") this.world.note(caller.name, `gives up ${eventId.split("_").at(-1)}`)
        }
      }
      if (call.method === "replay") this.deliveries.forgetAnswers()
      if (call.port === "store" && call.method === "commit" && (call.answer as Committed).moved) {
        const { deliveries } = call.args[0] as { readonly deliveries: ReadonlyArray<NewDelivery> }
        this.deliveries.recordWritten(deliveries, now)
      }
      this.looks.recordClaims(call, caller.name, now)
      this.changes.sendings.learn(caller.name, call, now)
      if (call.method.startsWith("schedule")) this.read(this.#written.scheduled(call, caller.name))
      const { books } = this.evidence
      if (call.port === "reconciliations" && call.method === "claim" && call.answer !== undefined) {
        const { issuer } = call.answer as ClaimedReconciliation
        this.read(Effect.map(books.charges(issuer), (all) => this.comparisons.recordTurn(call, all)))
        this.expiries.recordSweep(issuer, now)
      }
      if (call.method === "scheduleCharge") this.#madeDueAt.set((call.args[0] as Charge).txid, this.world.now)
      const compared = comparedFacts(call, this.evidence, now)
      if (compared !== undefined) this.#checkCompared(compared)
      if (call.method === "insert") this.reportAll(judge(adoptionRules, { ...call, ...this.evidence, now }))
      const written = describeWrite(call)
      if (written !== undefined) this.judgeWrite(caller, written)
    }
  }

  judgeWrite(caller: { readonly name: string }, written: Write): void {
    this.world.note(caller.name, written.what)
    const { charge, exception, movedTo, facts } = written
    this.reportAll(this.moves.judgeWrite(written))
    if (facts !== undefined) this.read(Effect.andThen(judgeRecorded(this, facts), this.#written.recorded(facts)))
    if (charge !== undefined) this.read(this.#written.charge(charge, written, caller.name))
    if (exception === undefined) return
    this.read(this.#written.exception(exception.issuer, exception.endToEndId, movedTo, caller.name))
  }

  /** Called when the store was set back. Answers about the lost writes no longer have to be in the books. */
  setBack(): void {
    this.answers.setBack()
    this.forget(this.evidence.ledger.payments.values())
    this.#setBackAt = this.world.now
  }

  auditAll() {
    const { ledger } = this.evidence
    return auditAll(this.evidence, {
      now: this.world.now,
      repeatedRequests: this.requests.repeatedRequests,
      expiries: this.expiries,
      deliveriesMade: this.deliveries,
      terms: this.terms,
      learntFailures: this.refundCalls.learntFailures(ledger),
      setBackAt: this.#setBackAt,
      restored: this.isRestored ? [...this.answers.issued.values()] : [],
    })
  }

  readonly bankChanged = (charge: LedgerCharge): void => {
    for (const what of this.terms.judgeChange(charge, this.world.now)) this.report("bankAsksForTerms", what)
  }

  readonly endIssue = (issued: IssuedCharge, requestedCents: number): void => {
    this.answers.endIssue(issued, requestedCents, { now: this.world.now, isChanged: this.terms.isChanged(issued) })
    for (const what of this.terms.judgeAnswer(issued)) this.report("bankAsksForTerms", what)
  }

  readonly askChange = (requested: RequestedChange): void => {
    this.terms.change(requested, requested.change.fields)
    this.changes.rows.ask(requested, requested.change)
  }

  readonly endChange = (answer: ChangedTerms, requested: RequestedChange): void => {
    this.answers.charge(answer.charge)
    const bank = bankCharge(this.evidence, answer.charge)
    for (const what of this.changes.judgeAnswer(answer, requested, bank)) this.report("termsStay", what)
  }

  /**
   * Called when a process has accepted a notice that arrived at `since`. The books must have the payment and its
   * returns, or the charge's check must have become due since then.
   */
  readonly endNotice = (received: ReceivedPayment, since: number): void => {
    const { issuer, endToEndId, txid = "", returns } = received
    const payment = this.evidence.ledger.payments.get(endToEndId)
    const isOurs = payment !== undefined && this.evidence.accounts.mayOwn(issuer, payment)
    if (!isOurs || (this.#madeDueAt.get(txid) ?? -1) >= since) return
    this.read(judgeRecorded(this, { issuer, payments: [{ endToEndId }], returns }))
  }

  readonly endReconcile = (issuer: Cnpj, period: Period): void => {
    this.#checkCompared(reconciledFacts(this.evidence, issuer, period))
  }

  readonly beginDelivery = (sent: SentEvent): void => {
    const { event, endpointId, at, by } = sent
    if (!this.leases.holds(by, { issuer: event.issuer, endpointId }, at)) {
      this.report("leasesFence", `${by} sends to ${endpointId} without a lease`)
    }
    this.reportAll(this.deliveries.judgeAttempt(sent, this.#findTurn(sent)))
  }

  readonly setEndpoint = (id: string, status: Endpoint["status"]): void => {
    this.world.note(id, `is ${status}`)
    this.deliveries.recordStatus(id, status, this.world.now)
  }

  readonly endDelivery = (sent: SentEvent): void => this.deliveries.endAttempt(sent, this.#findTurn(sent))

  #findTurn({ event: { issuer }, endpointId }: SentEvent): number {
    return this.leases.turn({ issuer, endpointId })
  }

  readonly recordStoreFailure = ({ name }: { readonly name: string }): void =>
    void this.storeFailedAt.set(name, this.world.now)

  /** Judges the error of a call that began at `since`. If the error blames the store, a store call must have failed. */
  readonly judgeFailure = (tag: string, { name }: { readonly name: string }, since: number): void => {
    if (tag !== "StoreUnavailable" || (this.storeFailedAt.get(name) ?? -Infinity) >= since) return
    this.report("refusalsAreTrue", `${name} says that the store failed, but the store has answered all of its calls`)
  }

  readonly judgeRefusal = (tag: string, requested: Requested, since: number): void => {
    const { issuer, id, endToEndId = "" } = requested
    const charges = id === undefined ? [] : this.charges.since(chargeKey({ issuer, id }), since)
    const [charge] = charges
    const bank = charge && bankCharge(this.evidence, { issuer, txid: charge.txid })
    const isPaidAtBank = bank?.status === "completed"
    const exceptions = this.moves.hasSettled(endToEndId)
      ? []
      : this.exceptions.since(paymentKey({ issuer, endToEndId }), since)
    this.reportAll(judge(refusalRules, { tag, requested, charges, exceptions, isPaidAtBank, now: this.world.now }))
    if (id === undefined || requested.change !== undefined) return
    const shown = bankCharge(this.evidence, { issuer, txid: txidOf(issuer, id) })
    // A charge under another company's key is refused as a conflict (decision 59).
    if (this.evidence.accounts.canSeemOfAnother(issuer, shown?.terms.body?.chave, since - keyMs)) return
    const seen = { bank: shown, since, isStored: charges.length > 0 }
    for (const what of this.terms.judgeRefusal(tag, { issuer, id }, seen)) this.report("refusalsAreTrue", what)
  }

  #checkCompared(facts: ComparedFacts): void {
    this.read(judgeRecorded(this, facts, "comparedMeansRecorded"))
    this.read(judgeCompared(this, facts))
  }

  readonly read = (check: Effect.Effect<void, unknown>): void => {
    this.#reading.execute(check, (exit) => {
      if (Exit.isFailure(exit)) this.report("noDefects", `the books can't be read: ${String(exit.cause)}`)
    })
  }
}
