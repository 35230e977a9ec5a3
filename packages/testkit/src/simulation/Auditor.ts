import type { Charge, ChargeId, PaymentException } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { BankPayment } from "./bank/BankLedger.ts"
import type { ReturnOrder } from "./bank/LedgerBank.ts"
import { describeWrite } from "./describeWrite.ts"
import { eventViolations, moneyViolations } from "./invariants/chargeViolations.ts"
import { type Evidence, finalViolations } from "./invariants/finalViolations.ts"
import type { Rule, Violation } from "./invariants/Violation.ts"
import { nameOf } from "./names.ts"
import type { Network } from "./Network.ts"
import type { StoreCall } from "./storeClient.ts"
import type { Actor, World } from "./World.ts"

/** Holds the books against the bank's ledger and the receivers': after every write, and in the end. */
export class Auditor {
  readonly violations: Array<Violation> = []
  readonly #world: World
  readonly #network: Network
  readonly #evidence: Evidence
  /** The versions from which a charge or an exception was moved. */
  readonly #moves = new Set<string>()

  constructor(world: World, network: Network, evidence: Evidence) {
    this.#world = world
    this.#network = network
    this.#evidence = evidence
  }

  readonly report = (rule: Rule, what: string): void => {
    this.#world.note("!", `${rule}: ${what}`)
    this.violations.push({ rule, what })
  }

  /** A call of the store was carried out. */
  readonly called = (caller: Actor, call: StoreCall): void => {
    const written = describeWrite(call)
    if (written === undefined) return
    this.#world.note(caller.name, written.what)
    const { charge, moveFrom } = written
    if (moveFrom !== undefined && this.#moves.has(moveFrom)) {
      this.report("oneMoveFromEachVersion", `${moveFrom} was moved from twice`)
    }
    if (moveFrom !== undefined) this.#moves.add(moveFrom)
    if (charge === undefined) return
    this.#network.carryOut(this.#check(charge.issuer, charge.id), (exit) => {
      if (Exit.isFailure(exit)) this.report("noDefects", `the books can't be read: ${String(exit.cause)}`)
    })
  }

  /** A call was answered with this state of a charge. */
  readonly answered = ({ issuer, id, version }: Pick<Charge, "issuer" | "id" | "version">): void => {
    this.#network.carryOut(this.#evidence.books.charge(issuer, id), (exit) => {
      const stored = Exit.isSuccess(exit) ? exit.value?.version : version
      if (stored === undefined || stored < version) {
        this.report(
          "answersAreStored",
          `${nameOf(id)} was answered as v${version}, and is v${stored ?? 0} in the books`,
        )
      }
    })
  }

  /** The same of an exception. */
  readonly answeredException = ({ payment: { issuer, endToEndId }, version }: PaymentException): void => {
    this.#network.carryOut(this.#evidence.books.exception(issuer, endToEndId), (exit) => {
      const stored = Exit.isSuccess(exit) ? exit.value?.version : version
      if (stored !== undefined && stored < version) {
        this.report(
          "answersAreStored",
          `${nameOf(endToEndId)} was answered as v${version}, and is v${stored} in the books`,
        )
      }
    })
  }

  /** A return is asked for; the bank has not decided yet. */
  readonly returnAsked = ({ endToEndId, returns }: BankPayment, { id }: ReturnOrder): void => {
    const other = returns.find((one) => one.kind === "refund" && one.status !== "rejected")
    if (other === undefined) return
    this.report("oneLiveRefund", `${nameOf(endToEndId)} is to be returned by ${id}, and ${other.id} is ${other.status}`)
  }

  #check(issuer: Cnpj, id: ChargeId): Effect.Effect<void, unknown> {
    const { books, ledger, endpointsEach } = this.#evidence
    return Effect.gen({ self: this }, function* () {
      const charge = yield* books.charge(issuer, id)
      if (charge === undefined) return
      const deliveries = yield* books.deliveries(issuer, id)
      const found = [...moneyViolations(charge, ledger), ...eventViolations(charge, deliveries, endpointsEach)]
      for (const { rule, what } of found) this.report(rule, what)
    })
  }

  /** What is wrong once everybody had time. */
  async findFinal(): Promise<ReadonlyArray<Violation>> {
    let found: ReadonlyArray<Violation> | undefined
    this.#network.carryOut(finalViolations(this.#evidence, this.#world.now), (exit) => {
      found = Exit.isSuccess(exit) ? exit.value : [{ rule: "noDefects", what: String(exit.cause) }]
    })
    await this.#world.run(() => found !== undefined)
    return found ?? []
  }
}
