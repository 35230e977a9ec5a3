import { clockToleranceMs, type ReceivedPayment } from "@pixcharge/core"
import {
  type Charge,
  type ChargeId,
  type PaidCharge,
  partialRefundStatus,
  type PaymentException,
  type Refund,
  returnedCents,
} from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { LedgerPayment, ReturnOrder } from "@pixcharge/simulated-bank"
import { describeWrite, type Write } from "./describeWrite.ts"
import { auditCharge } from "./invariants/auditCharge.ts"
import { exceptionViolations } from "./invariants/exceptionViolations.ts"
import type { Evidence } from "./invariants/finalViolations.ts"
import { type Facts, lostFacts } from "./invariants/lostFacts.ts"
import { PartKeys } from "./invariants/PartKeys.ts"
import { secondRefund } from "./invariants/secondRefund.ts"
import type { Rule, Violation } from "./invariants/Violation.ts"
import { Leases } from "./Leases.ts"
import { nameOf } from "./names.ts"
import type { Network } from "./Network.ts"
import type { StoreCall } from "./storeClient.ts"
import type { Actor, Timeline } from "./World.ts"

interface Stored {
  readonly version: number
  readonly _tag: string
}

type AuditedWorld = Pick<Timeline, "now" | "note">

const unstored: Stored = { version: 0, _tag: "unknown" }

/** Holds the books against the bank's ledger and the receivers' after every write, and those against what is answered. */
export class Auditor {
  readonly violations: Array<Violation> = []
  readonly #world: AuditedWorld
  readonly #network: Pick<Network, "carryOut">
  readonly #evidence: Evidence
  readonly #leases = new Leases()
  /** The versions from which a charge or an exception was moved. */
  readonly #moves = new Set<string>()
  /** The payments that were returned or resolved as exceptions, or may be until then: epoch milliseconds. */
  readonly #dealtWith = new Map<string, number>()
  /** The payments that settled charges. */
  readonly #settling = new Map<ChargeId, string>()
  /** The ids of the refunds that have begun. */
  readonly #refunds = new Set<string>()
  readonly #partKeys = new PartKeys()
  /** How many returns each version of a charge has. */
  readonly #returns = new Map<string, number>()

  constructor(world: AuditedWorld, network: Pick<Network, "carryOut">, evidence: Evidence) {
    this.#world = world
    this.#network = network
    this.#evidence = evidence
  }

  readonly report = (rule: Rule, what: string): void => {
    this.#world.note("!", `${rule}: ${what}`)
    this.violations.push({ rule, what })
  }

  /** A call of the store has arrived; told with what is answered when it was carried out. */
  readonly arrived = (caller: Actor): ((call: StoreCall) => void) => {
    const leases = this.#leases.last
    return (call) => {
      for (const queue of this.#leases.called(call, leases)) {
        this.report("leasesFence", `a settlement counted in the queue ${queue}, which somebody else had claimed`)
      }
      this.#called(caller, call)
    }
  }

  #called(caller: Actor, call: StoreCall): void {
    const written = describeWrite(call)
    if (written !== undefined) this.wrote(caller, written)
  }

  /** The same of a write that is described already. */
  wrote(caller: Actor, written: Write): void {
    this.#world.note(caller.name, written.what)
    const { charge, exception, moveFrom, movedTo, dealtWith, facts } = written
    if (dealtWith !== undefined) this.#dealtWith.set(dealtWith.endToEndId, dealtWith.until)
    if (moveFrom !== undefined && this.#moves.has(moveFrom)) {
      this.report("oneMoveFromEachVersion", `${moveFrom} was moved from twice`)
    }
    if (moveFrom !== undefined) this.#moves.add(moveFrom)
    if (facts !== undefined) this.#read(this.#checkFacts(facts))
    if (charge !== undefined) this.#read(this.#check(charge.issuer, charge.id, movedTo))
    if (exception !== undefined) this.#read(this.#checkException(exception.issuer, exception.endToEndId, movedTo))
  }

  /** A process has answered a notice: all that it tells of is in the books. */
  readonly recorded = ({ issuer, endToEndId, returns }: ReceivedPayment): void =>
    this.#read(this.#checkFacts({ issuer, payments: [{ endToEndId }], returns }))

  #read(check: Effect.Effect<void, unknown>): void {
    this.#network.carryOut(check, (exit) => {
      if (Exit.isFailure(exit)) this.report("noDefects", `the books can't be read: ${String(exit.cause)}`)
    })
  }

  #checkFacts(facts: Facts): Effect.Effect<void, unknown> {
    return Effect.map(lostFacts(this.#evidence.books, facts), (found) => {
      for (const { rule, what } of found) this.report(rule, what)
    })
  }

  /** A call was answered with this state of a charge. */
  readonly answered = ({ issuer, id, version, _tag }: Charge): void =>
    this.#mustBeStored(
      nameOf(id),
      { version, _tag },
      Effect.map(this.#evidence.books.charge(issuer, id), (stored) => stored ?? unstored),
    )

  /** The same of an exception. One that isn't found has become its charge's payment. */
  readonly answeredException = ({ payment: { issuer, endToEndId }, version, state }: PaymentException): void => {
    const answered = { version, _tag: state._tag }
    const read = Effect.map(this.#evidence.books.exception(issuer, endToEndId), (stored) =>
      stored === undefined ? answered : { version: stored.version, _tag: stored.state._tag },
    )
    this.#mustBeStored(`exception ${nameOf(endToEndId)}`, answered, read)
  }

  #mustBeStored(name: string, answered: Stored, read: Effect.Effect<Stored, unknown>): void {
    this.#network.carryOut(read, (exit) => {
      if (Exit.isFailure(exit)) return
      const { version, _tag } = exit.value
      if (version > answered.version || (version === answered.version && _tag === answered._tag)) return
      const what = `${name} was answered as ${answered._tag} v${answered.version}, and is ${_tag} v${version} in the books`
      this.report("answersAreStored", what)
    })
  }

  /** A return is asked for; the bank has not decided yet. */
  readonly returnAsked = (payment: LedgerPayment, order: ReturnOrder): void => {
    const found = secondRefund(payment, order)
    if (found !== undefined) this.report(found.rule, found.what)
    for (const { rule, what } of this.#partKeys.returnAsked(payment, order)) this.report(rule, what)
  }

  #check(issuer: Cnpj, id: ChargeId, movedTo: number | undefined): Effect.Effect<void, unknown> {
    return Effect.gen({ self: this }, function* () {
      const charge = yield* this.#evidence.books.charge(issuer, id)
      if (charge === undefined) return
      if ("payment" in charge) this.#checkSettling(charge.id, charge.payment.endToEndId)
      for (const { rule, what } of yield* auditCharge(this.#evidence, charge)) this.report(rule, what)
      if (!("payment" in charge)) return
      for (const { rule, what } of this.#partKeys.learn(charge)) this.report(rule, what)
      this.#checkReturns(`${nameOf(charge.id)} v${charge.version}`, charge.returns.length)
      if (charge.version !== movedTo) return
      if (charge._tag === "Refunding") this.#checkBegun(charge, charge.refund, charge.payment.amountCents)
      const { partialRefunds = [], returns } = charge
      const live = partialRefunds.filter((part) => partialRefundStatus(part, returns) === "refunding")
      for (const { refund, amountCents } of live) this.#checkBegun(charge, refund, amountCents)
      if (live.length > (charge._tag === "Paid" ? 1 : 0)) {
        this.report("oneLiveRefund", `${nameOf(charge.id)} is ${charge._tag} with ${live.length} parts under way`)
      }
    })
  }

  #checkException(issuer: Cnpj, id: string, movedTo: number | undefined): Effect.Effect<void, unknown> {
    return Effect.map(this.#evidence.books.exception(issuer, id), (exception) => {
      if (exception === undefined) return
      const { payment, returns, state, version } = exception
      for (const { rule, what } of exceptionViolations(exception, this.#evidence.ledger)) this.report(rule, what)
      if (version === movedTo && state._tag === "Refunding")
        this.#checkBegun({ payment, returns }, state.refund, payment.amountCents)
    })
  }

  /** A refund begins only while as much is left as it returns. A dispute may return it later. */
  #checkBegun(
    { payment, returns }: Pick<PaidCharge, "payment" | "returns">,
    { id }: Refund,
    amountCents: number,
  ): void {
    if (this.#refunds.has(id)) return
    this.#refunds.add(id)
    const name = nameOf(payment.endToEndId)
    const back = returnedCents(payment.endToEndId, returns)
    if (back + amountCents <= payment.amountCents) return
    this.report("neverMoreBackThanPaid", `${amountCents} cents of ${name} are to go back, and ${back} did already`)
  }

  /** A charge is settled once, and by no payment that was dealt with as an exception. */
  #checkSettling(id: ChargeId, endToEndId: string): void {
    const first = this.#settling.get(id) ?? endToEndId
    this.#settling.set(id, first)
    if (first !== endToEndId) {
      this.report(
        "stateFollowsFromMoney",
        `${nameOf(id)} was settled by ${nameOf(first)}, and is by ${nameOf(endToEndId)}`,
      )
    }
    if (this.#world.now + 2 * clockToleranceMs < (this.#dealtWith.get(endToEndId) ?? 0)) {
      this.report("stateFollowsFromMoney", `${nameOf(id)} is settled by ${nameOf(endToEndId)}, which is an exception's`)
    }
  }

  /** A charge has the same returns as long as its version is the same: what was decided without knowing one is stale. */
  #checkReturns(name: string, count: number): void {
    const first = this.#returns.get(name) ?? count
    this.#returns.set(name, first)
    if (first !== count) this.report("oneMoveFromEachVersion", `${name} has ${count} returns, and had ${first}`)
  }
}
