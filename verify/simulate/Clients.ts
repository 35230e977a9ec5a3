import { EventOperations, PaymentExceptions, PixCharges, Reconciler } from "@pixcharge/core"
import {
  type Charge,
  type ChargeId,
  type ChargeRequest,
  type IssuedCharge,
  parseChargeRequest,
} from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { Ledger } from "@pixcharge/simulated-bank"
import { nthPayment } from "./bank/nthPayment.ts"
import { all } from "./Books.ts"
import { chargeAmount } from "./actionKinds.ts"
import { changeOf, requestOf } from "./chargeTerms.ts"
import { listMany } from "./issueMany.ts"
import type { HostServices, Serving } from "./Host.ts"
import type { Accounts } from "./judge/Accounts.ts"
import type { Judge } from "./judge/Judge.ts"
import { shortName } from "./judge/names.ts"
import type { ChangedFields, RequestedTerms } from "./judge/Terms.ts"
import type { Requested } from "./judge/refusalRules.ts"
import type { Violation } from "./judge/rules.ts"
import { chargeId, chargeIssuer, chargeTxidAt, companies, endpointIds } from "./names.ts"
import type { Action } from "./Action.ts"
import type { World } from "./World.ts"

interface ClientsWorld {
  readonly seed: number
  readonly world: Pick<World, "note" | "startedAt" | "now">
  readonly ledger: Ledger
  readonly accounts: Accounts
  readonly judge: Judge
}

const chargeName = (charge: number): string => shortName(chargeTxidAt(charge))

export class Clients {
  /** Refused refunds, which the clients request again at the end of the run. */
  readonly refused = new Map<string, Action>()
  /** Issued charges, which the clients issue again after a restore. */
  readonly issued = new Map<number, Action>()
  readonly #open = new Map<string, Serving>()
  readonly #world: ClientsWorld
  #calls = 0
  #action: Action | undefined

  constructor(world: ClientsWorld) {
    this.#world = world
  }

  act(host: Serving, action: Action): void {
    this.#action = action
    switch (action.do) {
      case "issue":
        return this.#issue(host, action)
      case "issueMany":
        return this.#issueMany(host, action)
      case "status":
        return this.#status(host, action.charge)
      case "refund":
        return this.#charges(host, action.charge, "refund")
      case "cancel":
        return this.#charges(host, action.charge, "cancel")
      case "change":
        return this.#change(host, action)
      case "refundPart":
        return this.#refundPart(host, action)
      case "compare":
        return this.#compare(host, companies[action.company] as Cnpj)
      case "reconcile":
        return this.#reconcile(host, companies[action.company] as Cnpj)
      case "replay": {
        const [issuer, id] = this.#ids(action.charge)
        const replay = Effect.flatMap(EventOperations, (events) => events.replay(issuer, { chargeId: id }))
        return this.#call(host, `replay ${chargeName(action.charge)}`, replay)
      }
      case "pause":
      case "resume":
        return this.#setStatus(host, action.do, endpointIds[action.endpoint] ?? "")
      case "replayDead":
        return this.#replayDead(host, companies[action.company] as Cnpj)
      case "refundException":
      case "resolveException":
        return this.#exception(host, action)
    }
  }

  unanswered(): ReadonlyArray<Violation> {
    return [...this.#open]
      .filter(([, { actor }]) => actor.isAlive)
      .map(([what]) => ({ rule: "nothingWaitsForEver", what: `${what} has no answer` }))
  }

  #ids(charge: number): readonly [Cnpj, ChargeId] {
    return [chargeIssuer(charge), chargeId(charge)]
  }

  #charges(host: Serving, charge: number, operation: "refund" | "cancel"): void {
    const [issuer, id] = this.#ids(charge)
    const call = Effect.flatMap(PixCharges, (charges): Effect.Effect<Charge, unknown> => charges[operation](issuer, id))
    const { answers, requests } = this.#world.judge
    if (operation === "refund") requests.refund(chargeTxidAt(charge))
    else requests.cancel(chargeTxidAt(charge))
    this.#call(host, `${operation} ${chargeName(charge)}`, call, answers.charge, { issuer, id })
  }

  #refundPart(host: Serving, { charge, key, amountCents }: Extract<Action, { readonly do: "refundPart" }>): void {
    const [issuer, id] = this.#ids(charge)
    const request = { key, amountCents: amountCents as Cents }
    const call = Effect.flatMap(PixCharges, (charges) => charges.refundPart(issuer, id, request))
    const { answers, requests } = this.#world.judge
    requests.refundPart(chargeTxidAt(charge), key, amountCents)
    const what = `refund part ${key} of ${amountCents} cents of ${chargeName(charge)}`
    const requested = { issuer, id, key, amountCents }
    this.#call(host, what, call, (answer) => answers.part(answer, key, amountCents), requested)
  }

  #change(host: Serving, { charge, key, variant }: Extract<Action, { readonly do: "change" }>): void {
    const { seed, world, judge } = this.#world
    const [issuer, id] = this.#ids(charge)
    const fields = changeOf(seed, charge, variant, world.startedAt)
    const requested = { issuer, id, change: { key, fields: fields as ChangedFields } }
    judge.askChange(requested)
    const call = Effect.flatMap(PixCharges, (charges) => charges.change(issuer, id, { ...fields, key }))
    const what = `change ${chargeName(charge)} by ${key} to variant ${variant}`
    this.#call(host, what, call, (answer) => judge.endChange(answer, requested), requested)
  }

  #compare(host: Serving, issuer: Cnpj): void {
    const { world, judge } = this.#world
    const until = world.now
    const period = { from: Math.max(world.startedAt, until - 24 * 3_600_000), until }
    const call = Effect.flatMap(Reconciler, (reconciler) => reconciler.compare(issuer, period))
    this.#call(host, `compare the books of ${issuer}`, call, (found) =>
      judge.answers.endComparison(found, issuer, period),
    )
  }

  #reconcile(host: Serving, issuer: Cnpj): void {
    const { world, judge } = this.#world
    const period = { from: world.startedAt, until: world.now }
    const call = Effect.flatMap(Reconciler, (reconciler) => reconciler.reconcile(issuer, period))
    this.#call(host, `reconcile the books of ${issuer}`, call, () => judge.endReconcile(issuer, period))
  }

  /**
   * A repeated request comes from the company whose refund was refused, even if another company has the payment's key
   * now.
   */
  #exception(host: Serving, action: Extract<Action, { readonly do: "refundException" | "resolveException" }>): void {
    const { do: operation, payment: n } = action
    const payment = nthPayment(this.#world.ledger, n)
    if (payment === undefined) return
    const { endToEndId: id } = payment
    const owners = this.#world.accounts.owners(payment)
    const issuer = action.issuer ?? owners[n % owners.length]
    if (issuer === undefined) return
    this.#action = { ...action, issuer }
    const call = Effect.flatMap(PaymentExceptions, (exceptions) =>
      operation === "refundException" ? exceptions.refund(issuer, id) : exceptions.resolve(issuer, id, "kept"),
    )
    const { answers, requests } = this.#world.judge
    if (operation === "refundException") requests.refundException(issuer, id)
    const what = `${operation === "refundException" ? "refund" : "resolve"} exception ${shortName(id)}`
    this.#call(host, what, call, answers.exception, { issuer, endToEndId: id })
  }

  #setStatus(host: Serving, status: "pause" | "resume", endpointId: string): void {
    const call = Effect.flatMap(EventOperations, (events) => events[`${status}ForAll`](endpointId))
    this.#call(host, `${status} ${endpointId}`, call)
  }

  #replayDead(host: Serving, issuer: Cnpj): void {
    const call = Effect.flatMap(EventOperations, ({ deadLetters, replay }) =>
      Effect.flatMap(
        all((page) => deadLetters(issuer, page)),
        Effect.forEach(({ event }) => replay(issuer, { eventId: event.id })),
      ),
    )
    this.#call(host, `replay the dead letters of ${issuer}`, call)
  }

  #request(action: Extract<Action, { readonly do: "issue" }>): ChargeRequest {
    const { seed, world, judge } = this.#world
    const [issuer, id] = this.#ids(action.charge)
    const given = requestOf(seed, action.charge, action, world.startedAt)
    judge.terms.request({ issuer, id }, given as RequestedTerms, world.now)
    return Result.getOrThrow(parseChargeRequest(given))
  }

  #endIssue(action: Extract<Action, { readonly do: "issue" }>, issued: IssuedCharge): void {
    if (!this.issued.has(action.charge)) this.issued.set(action.charge, action)
    this.#world.judge.endIssue(issued, action.amountCents)
  }

  #issue(host: Serving, action: Extract<Action, { readonly do: "issue" }>): void {
    const { charge, amountCents } = action
    const [issuer, id] = this.#ids(charge)
    const request = this.#request(action)
    const call = Effect.flatMap(PixCharges, (charges) => charges.issue(issuer, request))
    const check = (issued: IssuedCharge) => this.#endIssue(action, issued)
    this.#call(host, `issue ${chargeName(charge)} of ${amountCents} cents`, call, check, { issuer, id, amountCents })
  }

  /** Each request gets one result. */
  #issueMany(host: Serving, action: Extract<Action, { readonly do: "issueMany" }>): void {
    const { world, judge } = this.#world
    const actions = listMany(action).map(
      (charge) => ({ do: "issue", charge, amountCents: chargeAmount(charge) }) as const,
    )
    const since = world.now
    const open = new Set(actions)
    const call = Effect.flatMap(PixCharges, (charges) =>
      Stream.runForEach(
        charges.issueMany(chargeIssuer(action.from), Stream.fromIterable(actions), (one) =>
          Effect.sync(() => this.#request(one)),
        ),
        (result) =>
          Effect.sync(() => {
            const { request } = result
            const [issuer, id] = this.#ids(request.charge)
            if (!open.delete(request))
              judge.report("firstAnswerStands", `${chargeName(request.charge)} has two results`)
            if (result.charge !== undefined) return this.#endIssue(request, result.charge)
            const tag = outcome(Exit.fail(result.error))
            judge.judgeFailure(tag, host.actor, since)
            judge.judgeRefusal(tag, { issuer, id, amountCents: request.amountCents }, since)
          }),
      ),
    )
    this.#call(host, `issue ${actions.length} charges from ${chargeName(action.from)} on`, call, () => {
      for (const { charge } of open) judge.report("nothingWaitsForEver", `${chargeName(charge)} has no result`)
    })
  }

  #status(host: Serving, charge: number): void {
    const [issuer, id] = this.#ids(charge)
    const call = Effect.flatMap(PixCharges, (charges) => charges.find(issuer, id))
    this.#call(host, `status of ${chargeName(charge)}`, call, this.#world.judge.answers.charge, { issuer, id })
  }

  #call<A, E>(
    host: Serving,
    what: string,
    call: Effect.Effect<A, E, HostServices>,
    check: (answer: A) => void = () => undefined,
    requested?: Requested,
  ): void {
    const { world, judge } = this.#world
    const requestedAt = world.now
    const { name } = host.actor
    this.#calls += 1
    const key = `${what}, call ${this.#calls}`
    world.note("client", `asks ${name} to ${what}`)
    this.#open.set(key, host)
    const action = this.#action
    const isServed = host.serve(call, (exit) => {
      this.#open.delete(key)
      world.note("client", `${name} answers to ${what}: ${outcome(exit)}`)
      if (action !== undefined && /RefundRejected/.test(outcome(exit))) this.refused.set(what, action)
      if (Exit.isSuccess(exit)) check(exit.value)
      else if (!Cause.hasDies(exit.cause)) {
        judge.judgeFailure(outcome(exit), host.actor, requestedAt)
        if (requested !== undefined) judge.judgeRefusal(outcome(exit), requested, requestedAt)
      } else judge.report("noDefects", `${what} ended with a defect: ${Cause.pretty(exit.cause)}`)
    })
    if (!isServed) this.#open.delete(key)
  }
}

export const outcome = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isFailure(exit)) {
    const error: unknown = Cause.squash(exit.cause)
    return Predicate.hasProperty(error, "_tag") ? String(error._tag) : String(error)
  }
  const { value } = exit
  if (!Predicate.isObject(value)) return String(value)
  if ("_tag" in value) return String(value["_tag"])
  return Predicate.hasProperty(value["state"], "_tag") ? String(value["state"]._tag) : "done"
}
