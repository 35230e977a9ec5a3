import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { brasiliaDate } from "../../model/calendar/BrasiliaTime.ts"
import { type Charge, type PendingCharge, type ChargeId, amountDueOn } from "../../model/charge/index.ts"
import { isCoded, type IssuedCharge, payableOrPaid, type PaymentRefusal } from "../../model/charge/Issue.ts"
import { ChargeNotFound } from "../../model/charge/chargeErrors.ts"
import {
  type PaymentOfAnotherCompany,
  type PaymentUnmatched,
  SimulationDeclined,
} from "../../model/charge/paymentErrors.ts"
import type { ProcessorUnavailable } from "../../ports/portErrors.ts"
import type { Cents } from "../../model/money/Money.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { DueChecks } from "../../ports/DueChecks.ts"
import { CompanyDirectory, HolidayCalendar } from "../../ports/CompanyDirectory.ts"
import { PaymentSimulator, type PlayOutcome } from "../../ports/PaymentSimulator.ts"
import type { MoveError } from "./ChargeMoves.ts"
import { PixCharges } from "./PixCharges.ts"

/** How a simulation can fail. */
export type SimulationError =
  | MoveError
  | PaymentRefusal
  | PaymentUnmatched
  | PaymentOfAnotherCompany
  | SimulationDeclined
  | ProcessorUnavailable

/** A payment of the caller's choice, instead of the one that the charge's cents choose. */
export interface PaymentPlay {
  /** By default `approved`. */
  readonly outcome?: PlayOutcome
  /** By default what is due today, with fine and interest. */
  readonly amountCents?: Cents
}

/** Plays a payment in the sandbox, and confirms the charge only if the processor approves (decision 17). */
export class PaymentSimulation extends Context.Service<
  PaymentSimulation,
  {
    /**
     * The charge after it. Without a play paid already is fine, and nothing is paid twice (decision 17). A play is a payment of
     * its own each time, of a charge that expired or was paid before, too: some banks let that happen.
     */
    readonly simulate: (issuer: Cnpj, id: ChargeId, play?: PaymentPlay) => Effect.Effect<Charge, SimulationError>
  }
>()("@pixcharge/core/charges/payments/PaymentSimulation") {
  static readonly layer = Layer.effect(
    PaymentSimulation,
    Effect.gen(function* () {
      const charges = yield* PixCharges
      const directory = yield* CompanyDirectory
      const calendar = yield* HolidayCalendar
      const simulator = yield* PaymentSimulator
      const checks = yield* DueChecks

      /** Without an answer nobody knows of the payment: the reconciler checks at once. */
      const checkNow = (charge: PendingCharge) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.ignore(checks.scheduleCharge(charge, now)))

      const amountDue = Effect.fnUntraced(function* (charge: IssuedCharge, now: number) {
        const { issuer, id } = charge
        const entry = yield* directory.find(issuer)
        return yield* Effect.try({
          try: () => amountDueOn(charge, brasiliaDate(now), entry && calendar.forCompany(entry.company)).totalCents,
          // Nobody can pay more than 2^53 centavos.
          catch: () => new SimulationDeclined({ issuer, id }),
        })
      })

      const pay = (charge: IssuedCharge, now: number) =>
        Effect.flatMap(amountDue(charge, now), (dueCents) => simulator.simulate(charge, dueCents))

      /** For a paid charge its payments are confirmed again: a failure may have come between two notices. */
      const notices = (charge: IssuedCharge, now: number) =>
        charge._tag === "Pending"
          ? Effect.tapErrorTag(pay(charge, now), "ProcessorUnavailable", () => checkNow(charge))
          : Effect.catchTag(
              pay(charge, now),
              ["DirectoryUnavailable", "ProcessorUnavailable", "SimulationDeclined"],
              () => Effect.succeed([]),
            )

      /** Of a charge that was paid before, the list of payments shows what got no answer. */
      const playedNotices = Effect.fnUntraced(function* (charge: IssuedCharge, play: PaymentPlay, now: number) {
        const { outcome = "approved", amountCents = yield* amountDue(charge, now) } = play
        const playing = simulator.play(charge, amountCents, outcome)
        if (charge._tag === "Paid") return yield* playing
        return yield* Effect.tapErrorTag(playing, "ProcessorUnavailable", () => checkNow(charge))
      })

      const simulate = Effect.fnUntraced(function* (issuer: Cnpj, id: ChargeId, play?: PaymentPlay) {
        const found = yield* charges.find(issuer, id)
        // A cycle's charge is debited: nobody can pay it.
        if (!isCoded(found)) return yield* new ChargeNotFound({ issuer, id })
        const now = yield* Clock.currentTimeMillis
        // The played payment may come too late.
        const charge = yield* Effect.fromResult(payableOrPaid(found, play === undefined ? now : found.createdAt))
        let after: Charge = charge
        for (const notice of yield* play === undefined ? notices(charge, now) : playedNotices(charge, play, now))
          after = yield* charges.confirmPayment(notice)
        return after
      })

      return PaymentSimulation.of({ simulate })
    }),
  )
}
