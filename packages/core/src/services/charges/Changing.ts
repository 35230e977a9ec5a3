import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Charge, PendingCharge } from "../../model/charge/Charge.ts"
import { type ChargeChange, parseChargeChange } from "../../model/charge/ChargeChange.ts"
import { type ChargeRequest, immediateLifetimeSeconds } from "../../model/charge/ChargeRequest.ts"
import type { ChargeId } from "../../model/charge/ChargeId.ts"
import { type IssuedCharge, payableOrPaid } from "../../model/charge/Issue.ts"
import {
  chargeAt,
  isRequested,
  isShown,
  requestedRow,
  rowBefore,
  rowInForce,
  rowsOf,
  type ShownTerms,
  type TermsRow,
} from "../../model/charge/TermsRow.ts"
import { ChangeRejected, ChargeNotChangeable } from "../../model/charge/changeErrors.ts"
import { ChargeAlreadyPaid } from "../../model/charge/chargeErrors.ts"
import type { ChangeOutcome } from "../../model/charge/decideChange.ts"
import { isRestoreRefused, requestChange, requestRestore } from "../../model/charge/requestChange.ts"
import { CompanyNotFound } from "../../model/directory/directoryErrors.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { currentActor, ifNamed } from "../../ports/AuditLog.ts"
import type { ProcessorView } from "../../ports/PaymentProcessor.ts"
import { isOfCredentials, ProcessorRejected } from "../../ports/portErrors.ts"
import { storableText } from "../../runtime/storable.ts"
import { Booking } from "./Booking.ts"
import { ChargeMoves } from "./ChargeMoves.ts"
import { storedOrder } from "./chargeOrder.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import { isKeyOfAnother } from "./Receivers.ts"
import { makeRecordTerms } from "./recordTerms.ts"

/** A charge with a change in force. */
export interface ChangedTerms {
  readonly charge: IssuedCharge
  /** The number of the change's terms; the have 1. */
  readonly number: number
  /** The payer needs the charge's code again. */
  readonly isNewCode: boolean
}

/** Changes are written before the bank hears of them, so a check can end a change whose process died (decision 64). */
export class Changing {
  readonly #ports: ChargePorts
  readonly #moves: ChargeMoves
  readonly #booking: Booking
  readonly #recordTerms: ReturnType<typeof makeRecordTerms>["recordAll"]

  constructor(ports: ChargePorts) {
    this.#ports = ports
    this.#moves = new ChargeMoves(ports)
    this.#booking = new Booking(ports)
    this.#recordTerms = makeRecordTerms(ports, this.#moves).recordAll
  }

  readonly change = Effect.fnUntraced({ self: this }, function* (issuer: Cnpj, id: ChargeId, given: ChargeChange) {
    const change = yield* Effect.fromResult(parseChargeChange(given))
    const read = yield* this.#moves.load({ issuer, id })
    const by = (yield* currentActor) === undefined ? "host" : "portal"
    const order = { ...(yield* this.#issuerOf(issuer)), change, by } as const
    const request = (charge: Charge, now: number, revision?: number) =>
      requestChange(charge, { ...order, revision }, now)
    const { next } = yield* Effect.fromResult(request(read, yield* Clock.currentTimeMillis))
    if (next === undefined) {
      // The bank can have later terms than restored books.
      const seen = isUnderWay(read, change.key) ? (yield* this.#lookUp(read)).charge : read
      return yield* this.#end(seen, change.key)
    }
    yield* this.#refuseBound(read)
    const { charge, revision } = yield* this.#lookUp(read)
    const audit = yield* ifNamed({ kind: "chargeChanged", chargeId: id, key: change.key } as const)
    const moved = yield* this.#moves.moveBy(
      charge,
      (current, now) => request(current, now, revision),
      audit && { audit },
    )
    return yield* this.#end(moved.state, change.key)
  })

  /** Puts the stored terms back after a call with other terms, which the processor has surely carried out or not (decision 42). */
  readonly restore = Effect.fnUntraced(
    { self: this },
    function* (stored: Charge, losing: ChargeRequest, isSure: boolean) {
      if (this.#ports.processor.locality === "local" || stored._tag !== "Pending") return
      const { status, terms } = yield* this.#ports.processor.lookup(stored)
      if (status !== "active" || terms === undefined || !isOfRequest(terms, losing)) return
      // Shown terms can be equal although payer, fees or texts differ.
      if (!isSure && isShown(rowInForce(rowsOf(stored)), terms, stored)) return
      const { state } = yield* this.#moves.moveBy(stored, (charge, now) =>
        Result.succeed(requestRestore(charge, terms, now)),
      )
      const requested = requestedRow(rowsOf(state))
      if (requested !== undefined) yield* this.#send(state, requested)
    },
  )

  /** Records terms that the processor shows, and sends a change whose answer is missing again. */
  readonly resume = Effect.fnUntraced({ self: this }, function* (charge: PendingCharge, view: ProcessorView) {
    if (view.status !== "active" || isRestoreRefused(charge)) return charge
    // The charge is as old as its claim.
    const known = requestedRow(rowsOf(charge)) === undefined ? charge : yield* this.#moves.load(charge)
    const seen = yield* this.#recordTerms(known, view)
    const requested = seen._tag === "Pending" ? requestedRow(rowsOf(seen)) : undefined
    if (requested === undefined) return seen
    return yield* Effect.catchTag(this.#send(seen, requested), "CompanyNotFound", () => Effect.succeed(seen))
  })

  readonly #refuseBound = Effect.fnUntraced({ self: this }, function* ({ issuer, id }: Charge) {
    const { processor, recurrences } = this.#ports
    if ((yield* processor.changes(issuer)) === "missing") {
      return yield* new ChargeNotChangeable({ issuer, id, because: "bank" })
    }
    if (yield* recurrences.isOffered(issuer, id))
      return yield* new ChargeNotChangeable({ issuer, id, because: "offer" })
  })

  /** The change is laid over the terms that the bank has now, and never over a payment. */
  readonly #lookUp = Effect.fnUntraced({ self: this }, function* (read: Charge) {
    const { processor, directory, dueChecks } = this.#ports
    const view = yield* processor.lookup(read)
    const isOfAnother = view.isOfAnother === true || (yield* isKeyOfAnother(directory, read.issuer, view.pixKey))
    if (isOfAnother) return yield* reject("the charge under the txid is another one")
    const charge = yield* this.#recordTerms(yield* this.#booking.applyView(read, view), view)
    // A restarted sandbox has forgotten its charges.
    if (charge._tag === "Pending" && view.status !== "active" && view.status !== "unknown") {
      yield* dueChecks.scheduleCharge(charge, yield* Clock.currentTimeMillis)
      return yield* reject(`the bank's charge isn't open: ${view.status}`)
    }
    return { charge, revision: view.terms?.revision }
  })

  readonly #end = Effect.fnUntraced({ self: this }, function* (charge: Charge, key: string) {
    const { issuer, id } = charge
    const begun = rowOf(charge, key)
    const after = isUnderWay(charge, key) ? yield* this.#send(charge, begun) : charge
    const row = rowOf(after, key)
    if (row.inForceAt !== undefined) {
      const isNewCode = row.brCode !== rowBefore(rowsOf(after), row).brCode
      return { charge: after as IssuedCharge, number: row.number, isNewCode } satisfies ChangedTerms
    }
    if (isRequested(row) && after._tag !== "Pending") {
      yield* Effect.fromResult(payableOrPaid(after as IssuedCharge, yield* Clock.currentTimeMillis))
      return yield* new ChargeAlreadyPaid({ issuer, id })
    }
    const reason = Redacted.make(row.rejection ?? "the charge was changed at the bank meanwhile")
    return yield* new ChangeRejected({ issuer, id, reason })
  })

  /** Only a look-up finds older terms of another process, or the part of a refused change that a bank has carried out. */
  readonly #send = Effect.fnUntraced({ self: this }, function* (charge: Charge, row: TermsRow) {
    const { processor, dueChecks } = this.#ports
    const { company, holidays } = yield* this.#issuerOf(charge.issuer)
    const now = yield* Clock.currentTimeMillis
    if (row.payableUntil <= now) {
      const outcome = { _tag: "Refused", reason: "the last moment to pay passed before the bank answered" } as const
      return yield* this.#moves.apply(charge, { _tag: "FinishChange", number: row.number, outcome })
    }
    const order = storedOrder(company, chargeAt(charge, row), holidays, now)
    const sent = processor.change(row.revision === undefined ? order : { ...order, revision: row.revision })
    const outcome = yield* Effect.map(sent, ({ brCode, revision }): ChangeOutcome => {
      const isNew = brCode !== undefined && brCode !== row.brCode
      return { _tag: "Confirmed", ...(isNew && { brCode }), ...(revision !== undefined && { revision }) }
    }).pipe(
      Effect.catchTag("ProcessorRejected", (refusal) =>
        // Says nothing about the terms, which an earlier attempt can have changed.
        isOfCredentials(refusal)
          ? refusal
          : Effect.succeed<ChangeOutcome>({ _tag: "Refused", reason: storableText(Redacted.value(refusal.reason)) }),
      ),
    )
    const { state, isOurs } = yield* this.#moves.move(charge, { _tag: "FinishChange", number: row.number, outcome })
    const isCertain = isOurs && outcome._tag === "Confirmed" && rowsOf(state).at(-1)?.number === row.number
    if (!isCertain && state._tag === "Pending") yield* dueChecks.scheduleCharge(state, now)
    return state
  })

  readonly #issuerOf = Effect.fnUntraced({ self: this }, function* (issuer: Cnpj) {
    const { directory, calendar } = this.#ports
    const entry = yield* directory.find(issuer)
    if (entry === undefined) return yield* new CompanyNotFound({ issuer })
    return { company: entry.company, holidays: calendar.forCompany(entry.company) }
  })
}

const isOfRequest = (shown: ShownTerms, { amountCents, dueDate, payableForSeconds: seconds }: ChargeRequest): boolean =>
  shown.amountCents === amountCents &&
  shown.dueDate === dueDate &&
  (shown.payableForSeconds === undefined || shown.payableForSeconds === (seconds ?? immediateLifetimeSeconds))

const isUnderWay = (charge: Charge, key: string): boolean =>
  charge._tag === "Pending" && requestedRow(rowsOf(charge))?.key === key

const rowOf = (charge: Charge, key: string): TermsRow => {
  const row = rowsOf(charge).find((one) => one.key === key)
  if (row === undefined) throw new Error("a requested change has terms under its key")
  return row
}

const reject = (reason: string) => new ProcessorRejected({ operation: "change", reason: Redacted.make(reason) })
