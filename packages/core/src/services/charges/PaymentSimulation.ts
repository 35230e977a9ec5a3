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

export type SimulationError =
  | MoveError
  | PaymentRefusal
  | PaymentUnmatched
  | PaymentOfAnotherCompany
  | SimulationDeclined
  | ProcessorUnavailable

/** A payment chosen by the caller; otherwise the charge's cents choose the outcome. */
export interface PaymentPlay {
  /** By default `approved`. */
  readonly outcome?: PlayOutcome
  /** By default the amount due today, with fine and interest. */
  readonly amountCents?: Cents
}

/** Simulates payments in the sandbox. Confirms a charge only if the processor approves (decision 17). */
export class PaymentSimulation extends Context.Service<
  PaymentSimulation,
  {
    /**
     * Simulates a payment, and returns the charge. Without a play, a paid charge isn't paid twice (decision 17). Each play is a
     * new payment, even of an expired or paid charge, because some banks accept that.
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

      /** Schedules a check, because an unanswered simulation can have paid. */
      const checkNow = (charge: PendingCharge) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.ignore(checks.scheduleCharge(charge, now)))

      const amountDue = Effect.fnUntraced(function* (charge: IssuedCharge, now: number) {
        const { issuer, id } = charge
        const entry = yield* directory.find(issuer)
        return yield* Effect.try({
          try: () => amountDueOn(charge, brasiliaDate(now), entry && calendar.forCompany(entry.company)).totalCents,
          // The amount exceeds 2^53 centavos.
          catch: () => new SimulationDeclined({ issuer, id }),
        })
      })

      const pay = (charge: IssuedCharge, now: number) =>
        Effect.flatMap(amountDue(charge, now), (dueCents) => simulator.simulate(charge, dueCents))

      const notices = (charge: IssuedCharge, now: number) =>
        charge._tag === "Pending"
          ? Effect.tapErrorTag(pay(charge, now), "ProcessorUnavailable", () => checkNow(charge))
          : Effect.catchTag(
              pay(charge, now),
              ["DirectoryUnavailable", "ProcessorUnavailable", "SimulationDeclined"],
              () => Effect.succeed([]),
            )

      /** A paid charge needs no check after an unanswered play: the list of payments shows the payment. */
      const playedNotices = Effect.fnUntraced(function* (charge: IssuedCharge, play: PaymentPlay, now: number) {
        const { outcome = "approved", amountCents = yield* amountDue(charge, now) } = play
        const playing = simulator.play(charge, amountCents, outcome)
        if (charge._tag === "Paid") return yield* playing
        return yield* Effect.tapErrorTag(playing, "ProcessorUnavailable", () => checkNow(charge))
      })

      const simulate = Effect.fnUntraced(function* (issuer: Cnpj, id: ChargeId, play?: PaymentPlay) {
        const found = yield* charges.find(issuer, id)
        // A payer can't pay a cycle's charge: the bank debits it.
        if (!isCoded(found)) return yield* new ChargeNotFound({ issuer, id })
        const now = yield* Clock.currentTimeMillis
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
