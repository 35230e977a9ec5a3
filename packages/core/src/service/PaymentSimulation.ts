import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { brasiliaDate } from "../calendar/BrasiliaTime.ts"
import type { Charge, PendingCharge } from "../charge/Charge.ts"
import type { ChargeId } from "../charge/ChargeId.ts"
import { type IssuedCharge, payableOrPaid, type PaymentRefusal } from "../charge/decideRepeat.ts"
import { amountDueOn } from "../charge/LateFees.ts"
import { type PaymentUnmatched, type ProcessorUnavailable, SimulationDeclined } from "../errors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import { DueChecks } from "../ports/DueChecks.ts"
import { CompanyDirectory } from "../ports/CompanyDirectory.ts"
import { HolidayCalendar } from "../ports/HolidayCalendar.ts"
import { PaymentSimulator } from "../ports/PaymentSimulator.ts"
import type { MoveError } from "./ChargeMoves.ts"
import { PixCharges } from "./PixCharges.ts"

/** How a simulation can fail. */
export type SimulationError = MoveError | PaymentRefusal | PaymentUnmatched | SimulationDeclined | ProcessorUnavailable

/** Plays a payment in the sandbox, and confirms the charge only if the processor approves (decision 17). */
export class PaymentSimulation extends Context.Service<
  PaymentSimulation,
  {
    /** The charge after it; paid already is fine, and nothing is paid twice (decision 17). */
    readonly simulate: (issuer: Cnpj, id: ChargeId) => Effect.Effect<Charge, SimulationError>
  }
>()("@pixcharge/core/service/PaymentSimulation") {
  static readonly layer = Layer.effect(PaymentSimulation, Effect.suspend(make))
}

function make() {
  return Effect.gen(function* () {
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

    const play = (charge: IssuedCharge, now: number) =>
      Effect.flatMap(amountDue(charge, now), (dueCents) => simulator.simulate(charge, dueCents))

    /** For a paid charge its payments are confirmed again: a failure may have come between two notices. */
    const notices = (charge: IssuedCharge, now: number) =>
      charge._tag === "Pending"
        ? Effect.tapErrorTag(play(charge, now), "ProcessorUnavailable", () => checkNow(charge))
        : Effect.catchTag(
            play(charge, now),
            ["DirectoryUnavailable", "ProcessorUnavailable", "SimulationDeclined"],
            () => Effect.succeed([]),
          )

    const simulate = Effect.fnUntraced(function* (issuer: Cnpj, id: ChargeId) {
      const found = yield* charges.find(issuer, id)
      const now = yield* Clock.currentTimeMillis
      const charge = yield* Effect.fromResult(payableOrPaid(found, now))
      let after: Charge = charge
      for (const notice of yield* notices(charge, now)) after = yield* charges.confirmPayment(notice)
      return after
    })

    return PaymentSimulation.of({ simulate })
  })
}
