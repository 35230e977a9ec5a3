import { ExceptionStore } from "@pixcharge/core"
import type { Charge, Payment, PendingCharge, Return } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChargeId, aPendingCharge, cents, fixtureNow } from "../../fixtures/Charges.ts"
import { cpf } from "../../fixtures/Companies.ts"
import { anEndToEndId, aPayment, aReturn } from "../../fixtures/Payments.ts"
import type { StoreTests, TestedPorts } from "../StoreDriver.ts"
import { find } from "../commits.ts"

/** The endpoints of every company's deliveries. */
export const endpoints = ["loja", "parceiro"] as const

/** The charges of every company, under the same ids. */
export const charges = {
  paid: { id: aChargeId(), transactionId: crypto.randomUUID() },
  pending: { id: aChargeId(), transactionId: crypto.randomUUID() },
  refunded: { id: aChargeId(), transactionId: crypto.randomUUID() },
}

const payments = ["paid", "further", "refunded", "unmatched"] as const
type PaymentName = (typeof payments)[number]
const kinds = payments.map(() => anEndToEndId().slice(1))

/** The endToEndIds of two companies differ by a letter, because a payment belongs to one company. */
export const endToEndIds = ({ number }: Actor): Readonly<Record<PaymentName, string>> =>
  Object.fromEntries(payments.map((name, index) => [name, `${"EFGH"[number]}${kinds[index]}`])) as never

/** The events of every company's charges, under the same ids: only the issuer separates them. */
export const eventIds = {
  paid: { paid: `evt_${crypto.randomUUID()}_paid` },
  refunded: { paid: `evt_${crypto.randomUUID()}_paid`, refunded: `evt_${crypto.randomUUID()}_refunded` },
}

/** The payers of the settled charges and of the pending charge. */
export const payerIds = { settled: cpf("52998224725"), pending: cpf("11144477735") }

export const newCharge = (actor: Actor, which: keyof typeof charges): PendingCharge =>
  aPendingCharge({
    ...charges[which],
    issuer: actor.issuer,
    amountCents: cents(1_990 + actor.number),
    payer: { name: `Ana ${actor.number}`, taxId: which === "pending" ? payerIds.pending : payerIds.settled },
    brCode: `000201 ${actor.number} ${which}`,
    createdAt: momentFor(actor),
    ...(which === "pending" && { checkAt: momentFor(actor, 60_000) }),
  })

/** A payment of one of the charges, or the unmatched payment. */
export const aPaymentBy = (actor: Actor, which: PaymentName): Payment => {
  const charge = newCharge(actor, which === "refunded" ? "refunded" : "paid")
  const { chargeId, txid: _, ...unmatched } = aPayment(charge, { endToEndId: endToEndIds(actor)[which] })
  return which === "unmatched" ? unmatched : { ...unmatched, txid: charge.txid, ...(chargeId && { chargeId }) }
}

/** A return of a part of a payment. Two parts are less than the payment, but the parts of both companies are more. */
export const aReturnedPart = (actor: Actor, which: PaymentName, id: string): Return =>
  aReturn(aPaymentBy(actor, which), { id, amountCents: cents(600 + actor.number) })

/** A company's stored charge, which must be in this state. */
export const storedCharge = <Tag extends Charge["_tag"]>(actor: Actor, which: keyof typeof charges, tag: Tag) =>
  Effect.flatMap(find(newCharge(actor, which)), (found) =>
    found?._tag === tag
      ? Effect.succeed(found as Extract<Charge, { readonly _tag: Tag }>)
      : Effect.die(new Error(`the ${which} charge is ${found?._tag}, not ${tag}`)),
  )

/** A company's stored unmatched payment. */
export const storedException = (actor: Actor) =>
  Effect.flatMap(ExceptionStore, ({ find: search }) => search(actor.issuer, endToEndIds(actor).unmatched)).pipe(
    Effect.flatMap((found) => (found ? Effect.succeed(found) : Effect.die(new Error("expected a recorded payment")))),
  )

/** A company or queue. All actors take the same steps under the same ids, with different amounts, texts and timestamps. */
export interface Actor {
  readonly issuer: Cnpj
  readonly endpointId: string
  /** The actor's index, from 0. */
  readonly number: number
}

/** An action or a read by an actor. Its result shows whether other actors interfered. */
export type Step = (actor: Actor) => Effect.Effect<unknown, unknown, TestedPorts>

const apartMs = 3_600_000

/** A timestamp of this actor, before all timestamps of actors with higher numbers. */
export const momentFor = ({ number }: Actor, ms = 0): number => fixtureNow + number * apartMs + ms

/**
 * Adds `look`, which reads all data of the actor, before each turn and after the last turn. It shows effects of the previous
 * actor's steps and of the actor's own earlier steps.
 */
export const interleaveLooks = (turns: ReadonlyArray<ReadonlyArray<Step>>, look: Step): ReadonlyArray<Step> => [
  ...turns.map(
    (steps): Step =>
      (actor) =>
        Effect.forEach([look, ...steps], (step) => step(actor)),
  ),
  look,
]

/** Runs the steps, each by every actor in turn; returns each actor's results. */
const runSteps = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, actors: ReadonlyArray<Actor>) {
  const answers: ReadonlyArray<Array<unknown>> = actors.map(() => [])
  for (const step of steps) {
    for (const [index, actor] of actors.entries()) answers[index]?.push(yield* step(actor))
  }
  return answers
})

/** Expects that each actor gets the same results on a store shared with other actors as alone. */
export const expectSeparateLives = async (
  { onEmptyStore }: StoreTests,
  steps: ReadonlyArray<Step>,
  actors: ReadonlyArray<Actor>,
): Promise<void> => {
  const sharedResults = await onEmptyStore(runSteps(steps, actors))
  for (const [index, actor] of actors.entries()) {
    const [alone] = await onEmptyStore(runSteps(steps, [actor]))
    for (const [step, answer] of (alone ?? []).entries()) {
      expect({ actor, step, answer: sharedResults[index]?.[step] }).toEqual({ actor, step, answer })
    }
  }
}
