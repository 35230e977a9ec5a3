import {
  ChargeConflict,
  type ChargeOrder,
  type Page,
  PaymentProcessor,
  PaymentSimulator,
  ProcessorRejected,
  type ReceivedPayment,
  type RefundOrder,
  type RegisteredCharge,
} from "@pixcharge/core"
import { RecurrenceProcessor } from "@pixcharge/core/recurring"
import {
  type ChangedCharge,
  type PaymentNotice,
  type RefundOutcome,
  type Return,
  returnedCents,
} from "@pixcharge/core/charges"
import { checkOptions, RecurrenceSimulator } from "@pixcharge/core/internal"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { sandboxBrCode } from "./SandboxCode.ts"
import { chargeStatus, type RememberedCharge, SandboxMemory } from "./SandboxMemory.ts"
import { findReturningAt } from "./SandboxPayment.ts"
import { sandboxRecurrences } from "./sandboxRecurrences.ts"
import { makePlay, makeSimulate } from "./simulate.ts"

/**
 * The type of the sandbox's processor. Because it provides a `PaymentSimulator`, the type of production's options
 * doesn't accept it.
 */
export type SandboxProcessor = Layer.Layer<
  PaymentProcessor | PaymentSimulator | RecurrenceProcessor | RecurrenceSimulator
> & { readonly environment: "sandbox" }

const paymentsPerPage = 100

const hasSameTerms = ({ terms }: RememberedCharge, order: ChargeOrder): boolean =>
  terms.amountCents === order.amountCents &&
  terms.dueDate === order.dueDate &&
  terms.payer?.taxId === order.payer?.taxId &&
  terms.payer?.name === order.payer?.name

const makeRejected = (operation: string, reason: string) =>
  new ProcessorRejected({ operation, reason: Redacted.make(reason) })

const rememberedTerms = ({ amountCents, dueDate, payer }: ChargeOrder): RememberedCharge["terms"] => ({
  amountCents,
  ...(dueDate && { dueDate }),
  ...(payer && { payer }),
})

const makeRegister =
  (memory: SandboxMemory): PaymentProcessor["Service"]["register"] =>
  (order) =>
    Effect.suspend((): Effect.Effect<RegisteredCharge, ChargeConflict | ProcessorRejected> => {
      const { company, id, txid, requestedAt } = order
      const issuer = company.cnpj
      const known = memory.charge(issuer, txid)
      if (known !== undefined && !hasSameTerms(known, order)) return new ChargeConflict({ issuer, id })
      if (known?.removed === true) return makeRejected("register", "the charge was removed")
      if (known === undefined) {
        const terms = rememberedTerms(order)
        memory.remember(issuer, txid, { terms, revision: 0, createdAt: requestedAt, removed: false, payments: [] })
      }
      return Effect.succeed({ txid, brCode: sandboxBrCode(order), createdAt: known?.createdAt ?? requestedAt })
    })

/** A forgotten charge counts as open. */
const makeChange =
  (memory: SandboxMemory): PaymentProcessor["Service"]["change"] =>
  (order) =>
    Effect.suspend((): Effect.Effect<ChangedCharge, ProcessorRejected> => {
      const { company, txid, requestedAt } = order
      const known = memory.charge(company.cnpj, txid)
      if (known !== undefined && chargeStatus(known) !== "active")
        return makeRejected("change", "the charge was paid or removed")
      const terms = rememberedTerms(order)
      if (known !== undefined && (known.terms.dueDate === undefined) !== (terms.dueDate === undefined))
        return makeRejected("change", "the charge is of the other kind, immediate or with a due date")
      const revision = known?.revision === undefined ? {} : { revision: known.revision + 1 }
      memory.remember(company.cnpj, txid, {
        createdAt: requestedAt,
        removed: false,
        payments: [],
        ...known,
        ...revision,
        terms,
      })
      return Effect.succeed({ brCode: sandboxBrCode(order), ...revision })
    })

const makeCancel =
  (memory: SandboxMemory): PaymentProcessor["Service"]["cancel"] =>
  (charge) =>
    Effect.sync(() => {
      const { issuer, txid } = charge
      const view = memory.view(issuer, txid)
      if (view.payments.length > 0) return { _tag: "Paid", view }
      memory.remember(issuer, txid, { ...memory.recall(charge), removed: true })
      return { _tag: "Cancelled" }
    })

const toReturned = ({ returnedAt, amountCents }: Return): RefundOutcome => ({
  _tag: "Returned",
  returnedAt,
  amountCents,
})

const makeRefunds = (memory: SandboxMemory) => {
  const find = ({ issuer, endToEndId, refundId }: RefundOrder) =>
    memory.returns(issuer, endToEndId).find(({ id }) => id === refundId)

  const isAbove = ({ issuer, endToEndId, amountCents }: RefundOrder): boolean => {
    const payment = memory.payment(issuer, endToEndId)
    const returned = returnedCents(endToEndId, memory.returns(issuer, endToEndId))
    return payment !== undefined && returned + amountCents > payment.amountCents
  }

  const refund = Effect.fnUntraced(function* (order: RefundOrder): Effect.fn.Return<RefundOutcome> {
    const known = find(order)
    if (known !== undefined) return toReturned(known)
    if (isAbove(order)) return { _tag: "Rejected", reason: "more than was paid" }
    const { issuer, endToEndId, amountCents, refundId: id } = order
    const payment = memory.payment(issuer, endToEndId)
    const returnedAt = findReturningAt(payment, yield* Clock.currentTimeMillis)
    const row: Return = { issuer, id, endToEndId, kind: "refund", amountCents, returnedAt }
    memory.addReturn(row)
    return toReturned(row)
  })

  const lookupRefund = (order: RefundOrder) =>
    Effect.sync(() => {
      const known = find(order)
      return known && toReturned(known)
    })

  return { refund, lookupRefund }
}

/** A payment's cursor. Cursors sort by the time of their payments. */
const paymentCursor = ({ paidAt, endToEndId }: PaymentNotice): string =>
  `${String(paidAt).padStart(16, "0")}/${endToEndId}`

const makePayments =
  (memory: SandboxMemory): PaymentProcessor["Service"]["payments"] =>
  (issuer, { from, until, isReturned }, cursor = "") =>
    Effect.sync((): Page<ReceivedPayment> => {
      const rest = memory
        .payments(issuer)
        .filter((payment) => payment.paidAt >= from && payment.paidAt < until && paymentCursor(payment) > cursor)
        .map((payment) => ({ ...payment, returns: memory.returns(issuer, payment.endToEndId) }))
        .filter(({ returns }) => isReturned !== true || returns.length > 0)
      const items = rest.slice(0, paymentsPerPage)
      const last = items.at(-1)
      return last !== undefined && rest.length > items.length ? { items, cursor: paymentCursor(last) } : { items }
    })

export class SandboxParts {
  readonly memory = new SandboxMemory()
  readonly recurrences = sandboxRecurrences(this.memory)
}

/** The sandbox's processor for a bank. */
export const sandboxProcessorOn = (open: () => SandboxParts): SandboxProcessor =>
  Object.assign(
    Layer.syncContext(() => {
      const { memory, recurrences } = open()
      return Context.make(PaymentSimulator, { simulate: makeSimulate(memory), play: makePlay(memory) }).pipe(
        Context.add(PaymentProcessor, {
          locality: "local",
          register: makeRegister(memory),
          changes: () => Effect.succeed("offered"),
          change: makeChange(memory),
          lookup: ({ issuer, txid }) => Effect.sync(() => memory.view(issuer, txid)),
          cancel: makeCancel(memory),
          ...makeRefunds(memory),
          payments: makePayments(memory),
        }),
        Context.add(RecurrenceProcessor, recurrences),
        Context.add(RecurrenceSimulator, recurrences),
      )
    }),
    { environment: "sandbox" as const },
  )

/**
 * A processor for the sandbox only: it moves no money. It approves every charge and refund, and simulates the payer by
 * the charge's amount (decision 17).
 *
 * It keeps at least the last 50,000 charges, in this process's memory. A restart loses simulated payments without a
 * notice (amounts ending in ,92 and ,95). A forgotten charge keeps its code and payment id, its refund or cancellation
 * is approved, and `lookup` returns `unknown`.
 *
 * @example
 * const pix = createPix({ ...options, environment: "sandbox", processor: sandboxProcessor() })
 */
export const sandboxProcessor = (...none: []): SandboxProcessor => {
  checkOptions<object>("sandboxProcessor", { ...none }, {})
  return sandboxProcessorOn(() => new SandboxParts())
}
