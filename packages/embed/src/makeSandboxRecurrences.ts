import { InvalidOption } from "@pixcharge/core"
import { anObject, debitOutcomes, recurrenceActs, type RecurrencePlay, unknownField } from "@pixcharge/core/internal"
import type { Recurrence } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import type { Calls } from "./makeCalls.ts"
import { makeOnRecurrences, showNow } from "./makeRecurrences.ts"
import { isPayable } from "./PaymentPlayInput.ts"
import type { SandboxRecurrences } from "./pix/SandboxRecurrences.ts"
import type { SandboxCalled } from "./services.ts"

const flaw = (text: string) => new InvalidOption({ message: `${text}.` })

const acts: ReadonlyArray<unknown> = recurrenceActs
const outcomes: ReadonlyArray<unknown> = debitOutcomes
const call = "recurrences.play(issuer, id, play)"
const debitCall = "recurrences.playDebit(issuer, id, outcome)"

/** A sandbox's processor of the host's own needn't play payers of recurrences. */
const notPlayed = Effect.suspend(() => flaw("pix.recurrences: the processor plays no payer of recurrences"))

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

/** The payers of recurrences; `wake` does what became due. */
export const makeSandboxRecurrences = (
  calls: Calls<SandboxCalled>,
  wake: (services: SandboxCalled) => Effect.Effect<unknown>,
): Pick<SandboxRecurrences, "play" | "playDebit"> => {
  const { withOne } = makeOnRecurrences(calls)

  /** The code of the journey pays its charge, and authorises where that was an immediate one. */
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
            return yield* flaw(
              `${call}: its bank doesn't know the recurrence, it is over there, or was approved before`,
            )
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
