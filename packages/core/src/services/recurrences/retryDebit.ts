import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { LocalDate } from "../../model/calendar/LocalDate.ts"
import type { ChargeMoves } from "../charges/ChargeMoves.ts"
import type { ChargePorts } from "../charges/ChargePorts.ts"
import { type Charge, isCycleCharge } from "../../model/charge/Charge.ts"
import type { ChargeId } from "../../model/charge/ChargeId.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { ifNamed } from "../../ports/AuditLog.ts"
import type { RecurrenceMoves } from "./RecurrenceMoves.ts"
import type { RecurrenceProcessor } from "../../ports/RecurrenceProcessor.ts"
import { findRetryDay, findRetryObstacle, type RetryObstacle } from "../../model/cycle/decideDebit.ts"
import { RecurrenceNotApproved, RetryNotPossible } from "../../model/recurrence/recurrenceErrors.ts"

/** If this process dies before the bank answers, another one asks it after this long. */
const retryCheckMs = 60_000

/** Why there is nothing to try again of a charge that no debit is to pay. */
const findStanding = ({ _tag, cycle }: Charge): RetryObstacle =>
  cycle === undefined ? "notDebited" : _tag === "Cancelled" ? "cancelled" : "paid"

/** Asking for a new attempt: its day is stored before the bank is called, so that two callers never ask for two days. */
export const makeRetryDebit = (
  { recurrences }: ChargePorts,
  moves: ChargeMoves,
  { load }: RecurrenceMoves,
  processor: RecurrenceProcessor["Service"],
) =>
  Effect.fnUntraced(function* (issuer: Cnpj, id: ChargeId, wanted?: LocalDate) {
    const charge = yield* moves.load({ issuer, id })
    const now = yield* Clock.currentTimeMillis
    const { cycle, debit } = charge
    if (charge._tag !== "Pending" || cycle === undefined || debit === undefined) {
      return yield* new RetryNotPossible({ issuer, chargeId: id, obstacle: findStanding(charge) })
    }
    // What the company or its payer has ended takes no more money, even where the bank would still try.
    const { _tag: state, id: recurrenceId } = yield* load(issuer, cycle.recurrenceId)
    if (state !== "Approved") return yield* new RecurrenceNotApproved({ issuer, id: recurrenceId, state })
    const obstacle = findRetryObstacle(cycle, debit, now, wanted)
    const on = wanted ?? findRetryDay(cycle, debit, now)
    if (obstacle !== undefined || on === undefined) {
      return yield* new RetryNotPossible({ issuer, chargeId: id, obstacle: obstacle ?? "tooLate" })
    }
    yield* recurrences.schedule(issuer, recurrenceId, now + retryCheckMs)
    const audit = yield* ifNamed({ kind: "retryRequested", chargeId: id, on } as const)
    const { state: after, isOurs } = yield* moves.move(charge, { _tag: "RequestRetry", on }, audit)
    if (!isOurs || !isCycleCharge(after))
      return yield* new RetryNotPossible({ issuer, chargeId: id, obstacle: "underWay" })
    // Of what the bank refuses nothing is left: neither one of three, nor its day.
    yield* Effect.tapErrorTag(processor.retry(after, on), "ProcessorRejected", () =>
      moves.apply(after, { _tag: "RecordRetryRefusal", on }),
    )
    return after
  })
