import { EventOperations, PaymentExceptions, PixCharges, Reconciler } from "@pixcharge/core"
import { type Charge, type ChargeRequest, type IssuedCharge, parseChargeRequest } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { nthPayment } from "./bank/bankActions.ts"
import { all } from "./RunStore.ts"
import { chargeAmount } from "./actionKinds.ts"
import { changeOf, requestOf } from "./chargeTerms.ts"
import type { HostServices, Serving } from "./Host.ts"
import type { Evidence } from "./judge/Evidence.ts"
import type { Judge } from "./judge/Judge.ts"
import { shortName } from "./judge/names.ts"
import type { Requested } from "./judge/refusalRules.ts"
import type { Violation } from "./judge/rules.ts"
import { chargeId, chargeIssuer, chargeTxidAt, companies, endpointIds } from "./names.ts"
import type { Action } from "./Action.ts"
import type { World } from "./World.ts"

type Of<Do extends Action["do"]> = Extract<Action, { readonly do: Do }>

interface ClientsWorld {
  readonly options: { readonly seed: number }
  readonly world: World
  readonly evidence: Pick<Evidence, "ledger" | "accounts">
  readonly judge: Judge
}

const named = (charge: number) => {
  const txid = chargeTxidAt(charge)
  return { issuer: chargeIssuer(charge), id: chargeId(charge), txid, name: shortName(txid) }
}

/** The charges of the action's company from its first to its last number. */
const listMany = ({ from, to }: Of<"issueMany">): ReadonlyArray<Of<"issue">> =>
  Array.from({ length: (to - from) / companies.length + 1 }, (_, n) => {
    const charge = from + n * companies.length
    return { do: "issue", charge, amountCents: chargeAmount(charge) }
  })

export class Clients {
  /** Refused refunds, which the clients request again at the end of the run. */
  readonly refused = new Map<string, Action>()
  /** Issued charges, which the clients issue again after a restore. */
  readonly issued = new Map<number, Action>()
  readonly #open = new Map<string, Serving>()
  readonly #world: ClientsWorld
  #calls = 0

  constructor(world: ClientsWorld) {
    this.#world = world
  }

  act(host: Serving, action: Action): void {
    switch (action.do) {
      case "issueMany":
        return this.#issueMany(host, action)
      case "compare":
      case "reconcile":
      case "replayDead":
        return this.#ofCompany(host, action, companies[action.company] as Cnpj)
      case "pause":
      case "resume": {
        const id = endpointIds[action.endpoint] ?? ""
        const call = Effect.flatMap(EventOperations, (events) => events[`${action.do}ForAll`](id))
        return this.#call(host, action, `${action.do} ${id}`, call)
      }
      case "refundException":
      case "resolveException":
        return this.#exception(host, action)
      case "issue":
      case "status":
      case "refund":
      case "cancel":
      case "replay":
      case "change":
      case "refundPart":
        return this.#ofCharge(host, action)
    }
  }

  unanswered(): ReadonlyArray<Violation> {
    return [...this.#open]
      .filter(([, { actor }]) => actor.isAlive)
      .map(([what]) => ({ rule: "nothingWaitsForEver", what: `${what} has no answer` }))
  }

  #ofCharge(
    host: Serving,
    action: Of<"issue" | "status" | "refund" | "cancel" | "replay" | "change" | "refundPart">,
  ): void {
    const { options, world, judge } = this.#world
    const { answers, requests } = judge
    const { issuer, id, txid, name } = named(action.charge)
    const of = { issuer, id }
    const charges = <A, E>(call: (charges: PixCharges["Service"]) => Effect.Effect<A, E>) =>
      Effect.flatMap(PixCharges, call)
    switch (action.do) {
      case "issue": {
        const { amountCents } = action
        const request = this.#request(action)
        const check = (issued: IssuedCharge) => this.#endIssue(action, issued)
        const call = charges((its) => its.issue(issuer, request))
        return this.#call(host, action, `issue ${name} of ${amountCents} cents`, call, check, { ...of, amountCents })
      }
      case "status":
      case "refund":
      case "cancel": {
        const { do: operation } = action
        if (operation !== "status") requests[operation](txid)
        const method = operation === "status" ? "find" : operation
        const call = charges((its): Effect.Effect<Charge, unknown> => its[method](issuer, id))
        const what = operation === "status" ? `status of ${name}` : `${operation} ${name}`
        return this.#call(host, action, what, call, answers.charge, of)
      }
      case "replay": {
        const replay = Effect.flatMap(EventOperations, (events) => events.replay(issuer, { chargeId: id }))
        return this.#call(host, action, `replay ${name}`, replay)
      }
      case "change": {
        const { key, variant } = action
        const fields = changeOf(options.seed, action.charge, variant, world.startedAt)
        const requested = { ...of, change: { key, fields } }
        judge.askChange(requested)
        const call = charges((its) => its.change(issuer, id, { ...fields, key }))
        const what = `change ${name} by ${key} to variant ${variant}`
        return this.#call(host, action, what, call, (answer) => judge.endChange(answer, requested), requested)
      }
      case "refundPart": {
        const { key, amountCents } = action
        requests.refundPart(txid, key, amountCents)
        const call = charges((its) => its.refundPart(issuer, id, { key, amountCents: amountCents as Cents }))
        const what = `refund part ${key} of ${amountCents} cents of ${name}`
        const check = (answer: Parameters<typeof answers.part>[0]) => answers.part(answer, key, amountCents)
        return this.#call(host, action, what, call, check, { ...of, key, amountCents })
      }
    }
  }

  #ofCompany(host: Serving, action: Of<"compare" | "reconcile" | "replayDead">, issuer: Cnpj): void {
    const { world, judge } = this.#world
    const { startedAt, now: until } = world
    switch (action.do) {
      case "compare": {
        const period = { from: Math.max(startedAt, until - 24 * 3_600_000), until }
        const call = Effect.flatMap(Reconciler, (reconciler) => reconciler.compare(issuer, period))
        return this.#call(host, action, `compare the books of ${issuer}`, call, (found) =>
          judge.answers.endComparison(found, issuer, period),
        )
      }
      case "reconcile": {
        const period = { from: startedAt, until }
        const call = Effect.flatMap(Reconciler, (reconciler) => reconciler.reconcile(issuer, period))
        const check = () => judge.endReconcile(issuer, period)
        return this.#call(host, action, `reconcile the books of ${issuer}`, call, check)
      }
      case "replayDead": {
        const call = Effect.flatMap(EventOperations, ({ deadLetters, replay }) =>
          Effect.flatMap(
            all((page) => deadLetters(issuer, page)),
            Effect.forEach(({ event }) => replay(issuer, { eventId: event.id })),
          ),
        )
        return this.#call(host, action, `replay the dead letters of ${issuer}`, call)
      }
    }
  }

  /**
   * A repeated request comes from the company whose refund was refused, even if another company has the payment's key
   * now.
   */
  #exception(host: Serving, action: Of<"refundException" | "resolveException">): void {
    const { evidence, judge } = this.#world
    const payment = nthPayment(evidence.ledger, action.payment)
    if (payment === undefined) return
    const { endToEndId: id } = payment
    const owners = evidence.accounts.owners(payment)
    const issuer = action.issuer ?? owners[action.payment % owners.length]
    if (issuer === undefined) return
    const isRefund = action.do === "refundException"
    const call = Effect.flatMap(PaymentExceptions, (exceptions) =>
      isRefund ? exceptions.refund(issuer, id) : exceptions.resolve(issuer, id, "kept"),
    )
    if (isRefund) judge.requests.refundException(issuer, id)
    const what = `${isRefund ? "refund" : "resolve"} exception ${shortName(id)}`
    this.#call(host, { ...action, issuer }, what, call, judge.answers.exception, { issuer, endToEndId: id })
  }

  #request(action: Of<"issue">): ChargeRequest {
    const { options, world, judge } = this.#world
    const { issuer, id } = named(action.charge)
    const given = requestOf(options.seed, action.charge, action, world.startedAt)
    judge.terms.request({ issuer, id }, given, world.now)
    return Result.getOrThrow(parseChargeRequest(given))
  }

  #endIssue(action: Of<"issue">, issued: IssuedCharge): void {
    if (!this.issued.has(action.charge)) this.issued.set(action.charge, action)
    this.#world.judge.endIssue(issued, action.amountCents)
  }

  /** Each request gets one result. */
  #issueMany(host: Serving, action: Of<"issueMany">): void {
    const { world, judge } = this.#world
    const actions = listMany(action)
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
            const { issuer, id, name } = named(request.charge)
            if (!open.delete(request)) judge.report("firstAnswerStands", `${name} has two results`)
            if (result.charge !== undefined) return this.#endIssue(request, result.charge)
            const tag = outcome(Exit.fail(result.error))
            judge.judgeFailure(tag, host.actor, since)
            judge.judgeRefusal(tag, { issuer, id, amountCents: request.amountCents }, since)
          }),
      ),
    )
    const what = `issue ${actions.length} charges from ${named(action.from).name} on`
    this.#call(host, action, what, call, () => {
      for (const { charge } of open) judge.report("nothingWaitsForEver", `${named(charge).name} has no result`)
    })
  }

  #call<A, E>(
    host: Serving,
    action: Action,
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
    const isServed = host.serve(call, (exit) => {
      this.#open.delete(key)
      const tag = outcome(exit)
      world.note("client", `${name} answers to ${what}: ${tag}`)
      if (tag.includes("RefundRejected")) this.refused.set(what, action)
      if (Exit.isSuccess(exit)) check(exit.value)
      else if (!Cause.hasDies(exit.cause)) {
        judge.judgeFailure(tag, host.actor, requestedAt)
        if (requested !== undefined) judge.judgeRefusal(tag, requested, requestedAt)
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
