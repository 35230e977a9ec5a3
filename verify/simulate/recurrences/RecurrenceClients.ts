import { PixCharges } from "@pixcharge/core"
import { Recurrences } from "@pixcharge/core/recurring"
import type { Charge } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import type { RecurrenceRequest } from "@pixcharge/core/recurrence"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import { businessDay, cycleStart, momentAt, plusDays } from "../judge/recurrences/calendar.ts"
import type { ClientAnswer } from "../judge/recurrences/RecurrenceEvidence.ts"
import { outcome } from "../Clients.ts"
import type { RecurrenceServices } from "../Host.ts"
import type { Process } from "../Process.ts"
import type { World } from "../World.ts"
import type { RecurrenceAction } from "./recurrencePlan.ts"

type Act = Pick<ClientAnswer, "do" | "cycle" | "lastCycle"> & { readonly recurrence: number }

export class RecurrenceClients {
  readonly answers: Array<ClientAnswer> = []
  readonly defects: Array<string> = []
  readonly open = new Map<string, Process<RecurrenceServices>>()
  readonly #world: World
  readonly #terms: (n: number) => RecurrenceRequest & { readonly issuer: Cnpj }

  constructor(world: World, terms: (n: number) => RecurrenceRequest & { readonly issuer: Cnpj }) {
    this.#world = world
    this.#terms = terms
  }

  act(host: Process<RecurrenceServices>, action: RecurrenceAction): void {
    if (!("recurrence" in action)) return
    const { recurrence: n } = action
    const terms = this.#terms(n)
    const { issuer, id } = terms
    const act = { do: action.do, recurrence: n }
    const call = <A, E>(what: Act, made: (recurrences: Recurrences["Service"]) => Effect.Effect<A, E>) =>
      this.#call(host, what, Effect.flatMap(Recurrences, made))
    switch (action.do) {
      case "offer":
        return call(act, (recurrences) => recurrences.offer(issuer, terms))
      case "end":
        return call(act, (recurrences) => recurrences.end(issuer, id))
      case "charge": {
        const cycle = this.#openCycle(terms)
        if (cycle === undefined || terms.amountCents !== undefined) return
        const request = { cycle, amountCents: action.amountCents as Cents }
        return call({ ...act, cycle }, (recurrences) => recurrences.charge(issuer, id, request))
      }
      case "skip": {
        const cycle = this.#openCycle(terms)
        if (cycle === undefined) return
        // Some pauses last for several cycles.
        const lastCycle = cycle + ((cycle + n) % 3)
        return call({ ...act, cycle, lastCycle }, (recurrences) => recurrences.skip(issuer, id, [cycle, lastCycle]))
      }
      case "retry":
        // Some hosts leave the new attempts to the plan.
        if (terms.retryOn !== undefined && n % 2 === 0) return
        return this.#withLast(host, act, terms, (charge) =>
          Effect.flatMap(Recurrences, (recurrences) => recurrences.retry(issuer, charge.id)),
        )
      case "cancel":
      case "refund": {
        const { do: operation } = action
        return this.#withLast(host, act, terms, (charge) =>
          Effect.flatMap(PixCharges, (one): Effect.Effect<Charge, unknown> => one[operation](issuer, charge.id)),
        )
      }
    }
  }

  /** The cycle that can be charged now by the host's own calendar. */
  #openCycle(terms: RecurrenceRequest): number | undefined {
    for (let cycle = 1; cycle < 60; cycle++) {
      const settlesOn = businessDay(cycleStart(terms, cycle))
      if (momentAt(plusDays(settlesOn, -2), 24) > this.#world.now) return cycle
    }
    return undefined
  }

  #withLast(
    host: Process<RecurrenceServices>,
    act: Act,
    { issuer, id }: RecurrenceRequest & { readonly issuer: Cnpj },
    doing: (charge: Charge) => Effect.Effect<unknown, unknown, RecurrenceServices>,
  ): void {
    const call = Effect.gen(function* () {
      const { items } = yield* (yield* Recurrences).charges(issuer, id, { limit: 1 })
      return items[0] === undefined ? "no charge" : yield* doing(items[0])
    })
    this.#call(host, act, call)
  }

  #call<A, E>(host: Process<RecurrenceServices>, act: Act, call: Effect.Effect<A, E, RecurrenceServices>): void {
    const { name } = host.actor
    const requestedAt = this.#world.now
    const what = `${act.do} recurrence ${act.recurrence}${act.cycle === undefined ? "" : `, cycle ${act.cycle}`}`
    const key = `${what} at ${requestedAt}`
    const { id } = this.#terms(act.recurrence)
    this.#world.note("client", `asks ${name} to ${what}`)
    this.open.set(key, host)
    const answer: ClientAnswer = { ...act, recurrence: id, requestedAt, at: Infinity, outcome: "none", isDone: false }
    this.answers.push(answer)
    const isServed = host.serve(call, (exit) => {
      this.open.delete(key)
      const end = outcome(exit)
      this.#world.note("client", `${name} says to ${what}: ${end}`)
      if (Exit.isFailure(exit) && Cause.hasDies(exit.cause)) this.defects.push(`${what}: ${Cause.pretty(exit.cause)}`)
      const value: unknown = Exit.isSuccess(exit) ? exit.value : undefined
      const txid = Predicate.hasProperty(value, "txid") ? String(value.txid) : undefined
      Object.assign(answer, { at: this.#world.now, outcome: end, isDone: Exit.isSuccess(exit), ...(txid && { txid }) })
    })
    if (!isServed) this.open.delete(key)
  }
}
