import type { ChargeId } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { BankPayment } from "./bank/BankLedger.ts"
import type { ReturnOrder } from "./bank/LedgerBank.ts"
import { describeWrite } from "./describeWrite.ts"
import { auditCharge } from "./invariants/auditCharge.ts"
import { type Evidence, finalViolations } from "./invariants/finalViolations.ts"
import { secondRefund } from "./invariants/secondRefund.ts"
import type { Rule, Violation } from "./invariants/Violation.ts"
import type { Network } from "./Network.ts"
import type { StoreCall } from "./storeClient.ts"
import type { Actor, World } from "./World.ts"

/** Holds the books against the bank's ledger and the receivers': after every write, and in the end. */
export class Auditor {
  readonly violations: Array<Violation> = []
  readonly #world: World
  readonly #network: Network
  readonly #evidence: Evidence

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
    const { charge } = written
    if (charge === undefined) return
    this.#network.carryOut(this.#check(charge.issuer, charge.id), (exit) => {
      if (Exit.isFailure(exit)) this.report("noDefects", `the books can't be read: ${String(exit.cause)}`)
    })
  }

  /** A return is asked for; the bank has not decided yet. */
  readonly returnAsked = (payment: BankPayment, order: ReturnOrder): void => {
    const found = secondRefund(payment, order)
    if (found !== undefined) this.report(found.rule, found.what)
  }

  #check(issuer: Cnpj, id: ChargeId): Effect.Effect<void, unknown> {
    return Effect.map(auditCharge(this.#evidence, issuer, id), (found) => {
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
