import { InvalidOption, type PaymentPlay, type PlayOutcome, playOutcomes } from "@pixcharge/core"
import {
  anObject,
  type DebitOutcome,
  debitOutcomes,
  recurrenceActs,
  type RecurrencePlay,
  unknownField,
} from "@pixcharge/core/internal"
import type { Recurrence } from "@pixcharge/core/recurrence"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { MoveTo } from "../instance/MovableClock.ts"
import type { SandboxCalled } from "../instance/services.ts"
import { isPayable } from "./checkFields.ts"
import type { Pix } from "./Pix.ts"
import type { PlainRecurrence } from "./RecurrenceFacts.ts"
import { makeOnRecurrences, type Recurrences, showNow } from "./Recurrences.ts"
import type { Calls } from "./calls.ts"
import type { PlainCharge } from "./plain.ts"

/** The outcome of a sandbox payment, instead of the outcome that the charge's cents choose. */
export interface PaymentPlayInput {
  /**
   * `approved` by default; `declined` by the payer's bank; `timesOut`: paid, and the call rejects without an answer;
   * `paidTwice`; `paidLate`: a second after the charge expired, or now if that has passed; `noticeLost`: paid, and found only
   * by the next look-up.
   */
  readonly outcome?: PlayOutcome | undefined
  /** Integer cents; by default the amount due now, with fine and interest. */
  readonly amountCents?: number | undefined
}

/** A sandbox's additions to `Pix`: simulated payers, and a clock that can be moved. */
export interface SandboxPix extends Pix {
  /**
   * Pays a charge as its payer would. The charge's cents choose what goes wrong (decision 17), unless `play` does.
   *
   * Each call with a play, even an empty one, makes one more payment, also of an expired or paid charge. A call without a play
   * pays once, even if it is repeated. Rejects with `ChargeNotFound`, `ChargeExpired` (without a play), `ChargeCancelled`,
   * `ChargeRefunding`, `ChargeRefunded`, `SimulationDeclined` or `ProcessorUnavailable`, and with `InvalidOption` for an
   * invalid play.
   *
   * @example
   * await pix.simulatePayment("12345678000195", id, { outcome: "paidTwice" })
   */
  readonly simulatePayment: (issuer: string, id: string, play?: PaymentPlayInput) => Promise<PlainCharge>
  /** Recurrences, and their simulated payers. */
  readonly recurrences: SandboxRecurrences
  readonly clock: Pix["clock"] & {
    /**
     * Moves business time forward, `await pix.clock.advance("3 days")`, and looks for payments whose notice was lost. Tokens
     * don't age by it (decision 4). With the option `recurrences` it stops at 08:10, 09:10 and 21:10 of each day in Brasília,
     * to charge cycles and follow debits as a running host would.
     */
    readonly advance: (by: Duration.Input) => Promise<void>
    /**
     * Runs `work` at an earlier moment (epoch milliseconds), returns its result, and returns to the present. Use it to make
     * data with a history.
     *
     * Meanwhile business time stands still for the whole instance. `moveTo` moves it forward and looks for payments whose
     * notice was lost, unless its second argument is `false`. Rejects with `InvalidOption` for an invalid moment, a moment
     * later than the present or earlier than the last, and while another call runs.
     *
     * @example
     * await pix.clock.runInPast(pix.clock.now() - 86_400_000, async (moveTo) => {
     *   const { id, createdAt } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1990 })
     *   await moveTo(createdAt + 60_000)
     *   await pix.simulatePayment(cnpj, id)
     * })
     */
    readonly runInPast: <A>(to: number, work: (moveTo: MoveTo) => Promise<A>) => Promise<A>
  }
}

/** A payer's choices about a recurrence. A maximum, in integer cents, limits the cycles that are charged afterwards. */
export type RecurrencePlayInput = "approve" | "decline" | "cancel" | "expire" | { readonly maximumCents: number }

/** A sandbox's additions to `Recurrences`. */
export interface SandboxRecurrences extends Recurrences {
  /**
   * Plays the payer of a recurrence: `approve` (which also pays the journey's charge, if it has one), `decline`, `cancel` at
   * any time, `expire`, or a maximum. Returns the changed recurrence.
   *
   * Rejects with `InvalidOption` for a play that is impossible now, with `RecurrenceNotFound`, and if a charge is paid, as
   * `simulatePayment` does.
   *
   * @example
   * await pix.recurrences.play("12345678000195", id, "approve")
   */
  readonly play: (issuer: string, id: string, play: RecurrencePlayInput) => Promise<PlainRecurrence>
  /**
   * Sets the outcome of the next day's debit attempts, which otherwise succeed: `paidInEvening`, `noBalance`, `aboveMaximum` or
   * `accountClosed`. Each call sets one more day. Rejects with `RecurrenceNotFound`, and with `InvalidOption` if no debit is
   * possible any more.
   *
   * @example
   * await pix.recurrences.playDebit("12345678000195", id, "noBalance")
   */
  readonly playDebit: (issuer: string, id: string, outcome: DebitOutcome) => Promise<void>
}

const paymentCall = "simulatePayment(issuer, id, { outcome, amountCents })"

const flaw = (text: string) => new InvalidOption({ message: `${text}.` })

export const parsePayment = (
  input: PaymentPlayInput | undefined,
): Effect.Effect<PaymentPlay | undefined, InvalidOption> => {
  if (input === undefined) return Effect.succeed(undefined)
  if (!anObject.holds(input)) return flaw(`${paymentCall}: the third argument is an object, or left out`)
  const unknown = unknownField(input, { outcome: true, amountCents: true })
  if (unknown !== undefined) return flaw(`${paymentCall}: ${unknown}`)
  const { outcome, amountCents } = input
  if (outcome !== undefined && !playOutcomes.includes(outcome)) {
    return flaw(`${paymentCall}: outcome must be one of ${playOutcomes.join(", ")}`)
  }
  if (amountCents === undefined) return Effect.succeed(outcome === undefined ? {} : { outcome })
  if (!isPayable(amountCents)) return flaw(`${paymentCall}: amountCents must be a whole number from 1 to 999999999999`)
  return Effect.succeed({ amountCents, ...(outcome !== undefined && { outcome }) })
}

const acts: ReadonlyArray<unknown> = recurrenceActs
const outcomes: ReadonlyArray<unknown> = debitOutcomes
const call = "recurrences.play(issuer, id, play)"
const debitCall = "recurrences.playDebit(issuer, id, outcome)"

const notPlayed = Effect.suspend(() => flaw("pix.recurrences: the processor can't simulate payers of recurrences"))

const parsePlay = (play: unknown): Effect.Effect<RecurrencePlay, InvalidOption> => {
  if (acts.includes(play)) return Effect.succeed(play as RecurrencePlay)
  if (!anObject.holds(play)) return flaw(`${call}: play must be one of ${acts.join(", ")}, or { maximumCents }`)
  const unknown = unknownField(play, { maximumCents: true })
  if (unknown !== undefined) return flaw(`${call}: ${unknown}`)
  const maximumCents: unknown = Reflect.get(Object(play), "maximumCents")
  return isPayable(maximumCents)
    ? Effect.succeed({ maximumCents })
    : flaw(`${call}: maximumCents must be a whole number of centavos from 1 to 999999999999`)
}

/** `wake` runs the work that a play made due. */
export const makeSandboxRecurrences = (
  calls: Calls<SandboxCalled>,
  wake: (services: SandboxCalled) => Effect.Effect<unknown>,
): Pick<SandboxRecurrences, "play" | "playDebit"> => {
  const { withOne } = makeOnRecurrences(calls)

  const payJourney = Effect.fnUntraced(function* (
    { simulation, charges }: SandboxCalled,
    { issuer, journey }: Recurrence,
  ) {
    if (journey.by !== "payment") return
    const charge = yield* charges.find(issuer, journey.chargeId)
    if (charge._tag === "Pending") yield* simulation.simulate(issuer, journey.chargeId)
  })

  return {
    play: (issuer, id, given) =>
      withOne(
        issuer,
        id,
        Effect.fnUntraced(function* (recurrences, company, one, services) {
          const play = yield* parsePlay(given)
          const recurrence = yield* recurrences.find(company, one)
          if (play === "approve" && recurrence._tag === "Offered") yield* payJourney(services, recurrence)
          if ((yield* services.recurrencePlay?.play(recurrence, play) ?? notPlayed) === false) {
            return yield* flaw(`${call}: its bank doesn't know the recurrence, or it is over there or already approved`)
          }
          const bankIds = "bankId" in recurrence && recurrence.bankId !== undefined ? [recurrence.bankId] : []
          yield* recurrences.checkSoon(company, { bankIds, txids: [] })
          yield* wake(services)
          return yield* showNow(recurrences, recurrences.find(company, one))
        }),
      ),
    playDebit: (issuer, id, outcome) =>
      withOne(
        issuer,
        id,
        Effect.fnUntraced(function* (recurrences, company, one, { recurrencePlay }) {
          if (!outcomes.includes(outcome)) {
            return yield* flaw(`${debitCall}: it must be one of ${outcomes.join(", ")}`)
          }
          const recurrence = yield* recurrences.find(company, one)
          if ((yield* recurrencePlay?.playDebit(recurrence, outcome) ?? notPlayed) === false) {
            return yield* flaw(`${debitCall}: its bank doesn't know the recurrence, or it is over there`)
          }
        }),
      ),
  }
}
