import { type CancelOutcome, ProcessorRejected } from "@pixcharge/core"
import { type CycleView, RecurrenceProcessor } from "@pixcharge/core/recurring"
import type { LocalDate } from "@pixcharge/core/calendar"
import { chargeTxid } from "@pixcharge/core/charges"
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

const viewCobr = (cobr: Cobr | undefined, payment: Pix | undefined): CycleView => {
  if (cobr === undefined) {
    return { status: "unknown", payments: [], returns: [], debit: { status: "absent", attempts: [] } }
  }
  const { status, attempts, by, amountCents, dueDate } = cobr
  return {
    status: status === "active" || status === "completed" ? status : "removed",
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

const reject = (operation: string, { refusal }: Refusal) =>
  new ProcessorRejected({ operation, reason: Redacted.make(refusal) })

/** A process's calls to the bank of Pix Automático. It looks before it repeats a call without a key. */
const makeProcessor = (bank: RecurrenceBank, call: RecurrenceCall): Processor => {
  const write = <A extends object>(
    order: Pick<BankOrder, "kind" | "about" | "on" | "recId">,
    doing: () => A | Refusal,
  ) => {
    const { kind, about, on } = order
    const made = ({ sentAt, at }: Arrival) => {
      const done = doing()
      bank.orders.push({ ...order, sentAt, at, ...("refusal" in done ? done : undefined) })
      return done
    }
    return call(`${kind} ${about}${on === undefined ? "" : ` on ${on}`}`, made, kind === "offer")
  }

  const showCobr = (txid: string) =>
    call(`show ${txid}`, ({ lagMs }) => {
      const cobr = bank.shown.find<Cobr>(txid, lagMs)
      const payment = cobr?.status === "completed" ? bank.paymentFor(txid) : undefined
      return { cobr, payment }
    })

  const lookup: Processor["lookup"] = (recurrence) =>
    call(`show ${recurrence.contract}`, ({ lagMs }) => {
      const { issuer, contract } = recurrence
      const known = "bankId" in recurrence ? recurrence.bankId : undefined
      const id = known ?? bank.findRec(issuer, contract)?.id
      const rec = id === undefined ? undefined : (bank.shown.find<Rec>(id, lagMs) ?? bank.recs.get(id))
      return rec && viewRec(rec)
    })

  const lookupCharge: Processor["lookupCharge"] = ({ txid }) =>
    Effect.map(showCobr(txid), ({ cobr, payment }) => viewCobr(cobr, payment))

  return {
    lookup,
    lookupCharge,
    offer: Effect.fnUntraced(function* ({ recurrence, isFresh }) {
      const { issuer, contract } = recurrence
      const known = isFresh === true ? undefined : yield* lookup(recurrence)
      if (known !== undefined) return known
      const rec = yield* write({ kind: "offer", about: `${issuer} ${contract}` }, () =>
        bank.postRec(recOrder(recurrence)),
      )
      return viewRec(rec as Rec)
    }),
    end: Effect.fnUntraced(function* (recurrence) {
      const { bankId = "" } = recurrence as { readonly bankId?: string }
      const ended = yield* write({ kind: "end", about: bankId }, () => bank.endRec(bankId, "company"))
      if (!("refusal" in ended)) return viewRec(ended)
      return (yield* lookup(recurrence)) ?? (yield* reject("end", ended))
    }),
    charge: Effect.fnUntraced(function* ({ charge }) {
      const { txid, amountCents, dueDate = "" } = charge
      const recId = charge.cycle.bankId
      const order = { txid, recId, amountCents, dueDate }
      const made = yield* write({ kind: "charge", about: txid, on: dueDate, recId }, () => bank.putCobr(order))
      if (!("refusal" in made)) return
      const { cobr } = yield* showCobr(txid)
      const isSame = cobr?.rec.id === recId && cobr.amountCents === amountCents && cobr.dueDate === dueDate
      if (!isSame) return yield* reject("charge", made)
    }),
    cancelCharge: Effect.fnUntraced(function* (charge) {
      const { txid } = charge
      const done = yield* write({ kind: "cancel", about: txid }, () => bank.cancelCobr(txid, "company"))
      if (!("refusal" in done)) return { _tag: "Cancelled" } satisfies CancelOutcome
      const view = yield* lookupCharge(charge)
      if (view.status === "completed") return { _tag: "Paid", view } satisfies CancelOutcome
      if (view.status === "removed") return { _tag: "Cancelled" } satisfies CancelOutcome
      return yield* reject("cancelCharge", done)
    }),
    retry: Effect.fnUntraced(function* ({ txid }, on) {
      const done = yield* write({ kind: "retry", about: txid, on }, () => bank.retry(txid, on))
      if ("refusal" in done && done.refusal !== "day") return yield* reject("retry", done)
    }),
  }
}

export const recurrenceProcessorLayer = (
  bank: RecurrenceBank,
  call: RecurrenceCall,
): Layer.Layer<RecurrenceProcessor> => Layer.sync(RecurrenceProcessor, () => makeProcessor(bank, call))
