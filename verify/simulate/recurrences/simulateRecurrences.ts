import { CallbackEndpoints } from "@pixcharge/core"
import { factKinds } from "@pixcharge/core/charges"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import { memoryStore } from "@pixcharge/store-memory"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { anHttpEndpoint, eventDirectory, issuers } from "@pixcharge/adapter-tests/fixtures"
import { judgeRecurrences, type RecurrenceViolation } from "../judge/recurrences/recurrenceRules.ts"
import type { RecurrenceBooks } from "../judge/recurrences/RecurrenceEvidence.ts"
import { all, makeBooks } from "../RunStore.ts"
import { makeRecurrencePlan, type RecurrenceStep } from "./recurrencePlan.ts"
import { RecurrenceSimulation } from "./RecurrenceSimulation.ts"

interface RecurrenceSimulationOptions {
  /** A whole number from 0 to 4 294 967 295. */
  readonly seed: number
  /** The days when clients and payers act; by default 100. */
  readonly days?: number
  readonly plan?: ReadonlyArray<RecurrenceStep>
}

interface SimulatedRecurrences {
  readonly traceHash: string
  readonly violations: ReadonlyArray<RecurrenceViolation>
  readonly history: ReadonlyArray<string>
  readonly debits: number
}

const findEndpoint = (id: string) => ({ ...anHttpEndpoint("https://receiver.invalid/"), id, kinds: factKinds })

/** Each company has one endpoint, which gets every kind of event. */
const allKinds: CallbackEndpoints["Service"] = {
  forCompany: (issuer) => Effect.succeed([findEndpoint(issuer)]),
  find: (id) => Effect.succeed(findEndpoint(id)),
  setStatus: () => Effect.void,
}

const readBooks = ({ store: { ports } }: RecurrenceSimulation) =>
  Effect.gen(function* () {
    const books = makeBooks(ports)
    const { list } = Context.get(ports, RecurrenceStore)
    const each = <A>(read: (issuer: (typeof issuers)[number]) => Effect.Effect<ReadonlyArray<A>, unknown>) =>
      Effect.map(Effect.forEach(issuers, read), (found) => found.flat())
    return {
      recurrences: yield* each((issuer) => all((page) => list(issuer, {}, page))),
      charges: yield* each((issuer) => books.charges(issuer)),
      payments: yield* each(books.payments),
      returns: yield* each(books.returns),
      deliveries: yield* each((issuer) => books.deliveries(issuer)),
    } satisfies RecurrenceBooks
  })

/**
 * Runs months of Pix Automático in a simulated world. Payers authorise, decline, end and have no money. Two processes on one
 * store can die at any call, and both can be down for weeks. The store can be set back. The bank loses answers and notices, and
 * shows states that are minutes old. Everything follows from the seed.
 *
 * @example
 * ```ts
 * import { simulateRecurrences } from "@pixcharge/verify/simulate"
 *
 * const { violations } = await simulateRecurrences({ seed: 7 })
 * violations // => []
 * ```
 */
export const simulateRecurrences = (options: RecurrenceSimulationOptions): Promise<SimulatedRecurrences> => {
  const { seed, days = 100 } = options
  const plan = options.plan ?? makeRecurrencePlan(seed, days)
  const run = Effect.gen(function* () {
    const directory = Context.add(yield* Layer.build(eventDirectory()), CallbackEndpoints, allKinds)
    const simulation = new RecurrenceSimulation(seed, { store: yield* Layer.build(memoryStore()), directory })
    yield* Effect.promise(() => simulation.run(plan))
    const { world, bank, clients, receivers, written, outages, setBacks } = simulation
    const violations = judgeRecurrences({
      ledger: bank,
      books: yield* readBooks(simulation),
      answers: clients.answers,
      written,
      receipts: receivers.receipts,
      outages,
      setBacks,
      unanswered: [...clients.open].filter(([, { actor }]) => actor.isAlive).map(([what]) => what),
      defects: clients.defects,
      now: world.now,
    })
    const { traceHash, history } = world
    const debits = [...bank.cobrs.values()].filter(({ status }) => status === "completed").length
    return { traceHash, history, violations, debits }
  })
  return Effect.runPromise(Effect.scoped(run))
}
