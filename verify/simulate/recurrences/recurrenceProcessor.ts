import { type CancelOutcome, ProcessorRejected } from "@pixcharge/core"
import { type CycleView, RecurrenceProcessor } from "@pixcharge/core/recurring"
import type { LocalDate } from "@pixcharge/core/calendar"
import { chargeTxid, type CycleCharge } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { Recurrence, RecurrenceView } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { BankOrder, Cobr, Pix, Rec } from "../judge/recurrences/RecurrenceEvidence.ts"
import type { Arrival, RecurrenceCall } from "../bank/callBank.ts"
import { shownPayments } from "./codedProcessor.ts"
import type { RecOrder, RecurrenceBank, Refusal } from "./RecurrenceBank.ts"

type Processor = RecurrenceProcessor["Service"]

const viewRec = ({ id, status, at, by }: Rec): RecurrenceView => ({
  bankId: id,
  status,
  at,
  ...(by && { by }),
  ...(status === "offered" && { brCode: `code of ${id}` }),
})

const recOrder = ({ issuer, contract, period, startDate, endDate, ...terms }: Recurrence): RecOrder => ({
  issuer,
  contract,
  period,
  startDate,
  ...(endDate && { endDate }),
  ...(terms.amountCents !== undefined && { amountCents: terms.amountCents }),
  mayRetry: terms.retries === "threeInSeven",
  ...(terms.journey.by === "payment" && { paysTxid: chargeTxid(issuer, terms.journey.chargeId) }),
})

const viewStatus = { active: "active", completed: "completed" } as const

const viewCobr = (cobr: Cobr | undefined, payment: Pix | undefined): CycleView => {
  if (cobr === undefined) {
    return { status: "unknown", payments: [], returns: [], debit: { status: "absent", attempts: [] } }
  }
  const { status, attempts, by, amountCents, dueDate } = cobr
  return {
    status: status === "active" || status === "completed" ? viewStatus[status] : "removed",
    terms: { amountCents: amountCents as Cents, dueDate: dueDate as LocalDate },
    ...shownPayments(payment),
    debit: {
      status,
      attempts: attempts.map(({ kind, on, endToEndId, status: how, code }) => ({
        kind,
        on: on as LocalDate,
        endToEndId,
        status: how,
        ...(code && { code }),
      })),
      ...(by && { by }),
    },
  }
}

/** A process's calls to the bank of Pix Automático. It looks before it repeats a call without a key. */
class WorldProcessor implements Processor {
  readonly #bank: RecurrenceBank
  readonly #call: RecurrenceCall

  constructor(bank: RecurrenceBank, call: RecurrenceCall) {
    this.#bank = bank
    this.#call = call
  }

  #write<A extends object>(order: Pick<BankOrder, "kind" | "about" | "on" | "recId">, doing: () => A | Refusal) {
    const { kind, about, on } = order
    const write = ({ sentAt, at }: Arrival) => {
      const done = doing()
      const refused = "refusal" in done ? done : undefined
      this.#bank.orders.push({ ...order, sentAt, at, ...refused })
      return done
    }
    return this.#call(`${kind} ${about}${on === undefined ? "" : ` on ${on}`}`, write, kind === "offer")
  }

  readonly #reject = (operation: string, { refusal }: Refusal) =>
    new ProcessorRejected({ operation, reason: Redacted.make(refusal) })

  readonly #showCobr = (txid: string) =>
    this.#call(`show ${txid}`, ({ lagMs }) => {
      const cobr = this.#bank.shown.find<Cobr>(txid, lagMs)
      const payment = cobr?.status === "completed" ? this.#bank.paymentFor(txid) : undefined
      return { cobr, payment }
    })

  readonly offer: Processor["offer"] = Effect.fnUntraced({ self: this }, function* ({ recurrence, isFresh }) {
    const { issuer, contract } = recurrence
    const known = isFresh === true ? undefined : yield* this.lookup(recurrence)
    if (known !== undefined) return known
    const rec = yield* this.#write({ kind: "offer", about: `${issuer} ${contract}` }, () =>
      this.#bank.postRec(recOrder(recurrence)),
    )
    return viewRec(rec as Rec)
  })

  readonly lookup: Processor["lookup"] = (recurrence) =>
    this.#call(`show ${recurrence.contract}`, ({ lagMs }) => {
      const { issuer, contract } = recurrence
      const known = "bankId" in recurrence ? recurrence.bankId : undefined
      const id = known ?? this.#bank.findRec(issuer, contract)?.id
      const rec = id === undefined ? undefined : (this.#bank.shown.find<Rec>(id, lagMs) ?? this.#bank.recs.get(id))
      return rec && viewRec(rec)
    })

  readonly end: Processor["end"] = Effect.fnUntraced({ self: this }, function* (recurrence) {
    const { bankId = "" } = recurrence as { readonly bankId?: string }
    const ended = yield* this.#write({ kind: "end", about: bankId }, () => this.#bank.endRec(bankId, "company"))
    if (!("refusal" in ended)) return viewRec(ended)
    return (yield* this.lookup(recurrence)) ?? (yield* this.#reject("end", ended))
  })

  readonly charge: Processor["charge"] = Effect.fnUntraced({ self: this }, function* ({ charge }) {
    const { txid, amountCents, dueDate = "" } = charge
    const recId = charge.cycle.bankId
    const order = { txid, recId, amountCents, dueDate }
    const made = yield* this.#write({ kind: "charge", about: txid, on: dueDate, recId }, () =>
      this.#bank.putCobr(order),
    )
    if (!("refusal" in made)) return
    const { cobr } = yield* this.#showCobr(txid)
    const isSame = cobr?.rec.id === recId && cobr.amountCents === amountCents && cobr.dueDate === dueDate
    if (!isSame) return yield* this.#reject("charge", made)
  })

  readonly lookupCharge: Processor["lookupCharge"] = ({ txid }) =>
    Effect.map(this.#showCobr(txid), ({ cobr, payment }) => viewCobr(cobr, payment))

  readonly cancelCharge: Processor["cancelCharge"] = Effect.fnUntraced({ self: this }, function* (charge: CycleCharge) {
    const { txid } = charge
    const done = yield* this.#write({ kind: "cancel", about: txid }, () => this.#bank.cancelCobr(txid, "company"))
    if (!("refusal" in done)) return { _tag: "Cancelled" } satisfies CancelOutcome
    const view = yield* this.lookupCharge(charge)
    if (view.status === "completed") return { _tag: "Paid", view } satisfies CancelOutcome
    if (view.status === "removed") return { _tag: "Cancelled" } satisfies CancelOutcome
    return yield* this.#reject("cancelCharge", done)
  })

  readonly retry: Processor["retry"] = Effect.fnUntraced(
    { self: this },
    function* ({ txid }: CycleCharge, on: LocalDate) {
      const done = yield* this.#write({ kind: "retry", about: txid, on }, () => this.#bank.retry(txid, on))
      if ("refusal" in done && done.refusal !== "day") return yield* this.#reject("retry", done)
    },
  )
}

export const recurrenceProcessorLayer = (
  bank: RecurrenceBank,
  call: RecurrenceCall,
): Layer.Layer<RecurrenceProcessor> => Layer.sync(RecurrenceProcessor, () => new WorldProcessor(bank, call))
