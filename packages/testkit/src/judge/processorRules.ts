import type {
  CancelOutcome,
  PaymentNotice,
  PaymentPage,
  ProcessorView,
  RefundOrder,
  RefundOutcome,
} from "@pixcharge/core"
import type { Charge, Return } from "@pixcharge/core/charge"
import type { Ledger, LedgerPayment } from "@pixcharge/simulated-bank"
import { bankCharge } from "./money.ts"
import { nameOf } from "./names.ts"
import { type Rules, wrongIf } from "./rules.ts"

/** What a processor says of the bank, when it has asked it. */
export interface SeenWord {
  readonly ledger: Ledger
  /** How long after it was made the bank lists a payment. Milliseconds. */
  readonly listsAfterMs: number
  /** Epoch milliseconds. */
  readonly askedAt: number
  /** When it answers: epoch milliseconds. */
  readonly now: number
  /** The process that it works for. */
  readonly caller: string
  /** Whether no other call of the process was under way that asked for the same. */
  readonly isAlone: boolean
  readonly method: string
  readonly args: ReadonlyArray<unknown>
  readonly answer: unknown
}

/** Banks tell instants by the second, and no answer takes as long. */
const secondMs = 1_000
/** A bank takes no longer to make a charge. */
const makingMs = 100_000

/** The status of the bank's charge, if it was made before it was asked after. */
const statusThen = ({ ledger, askedAt }: SeenWord, charge: Charge): string | undefined => {
  const bank = bankCharge(ledger, charge)
  return bank !== undefined && bank.createdAt < askedAt - makingMs ? bank.status : undefined
}

const isSamePayment = (bank: LedgerPayment | undefined, { amountCents, paidAt }: PaymentNotice): boolean =>
  bank?.amountCents === amountCents && Math.abs(bank.paidAt - paidAt) < secondMs

/** The returns of some payments that were settled when the bank was asked, and are not told of. */
const untoldReturns = (
  payments: ReadonlyArray<LedgerPayment>,
  told: ReadonlyArray<Return>,
  askedAt: number,
): ReadonlyArray<string> =>
  payments.flatMap(({ endToEndId, returns }) =>
    returns
      .filter(({ returnedAt = Infinity }) => returnedAt < askedAt)
      .filter(
        ({ id, amountCents }) =>
          !told.some((one) => one.endToEndId === endToEndId && one.id === id && one.amountCents === amountCents),
      )
      .map(({ id }) => `the return of ${nameOf(endToEndId)} by ${id} is not told`),
  )

/** The outcome of a refund, where the bank has none of it, or another. What the bank denied it may make all the same. */
const wrongOutcome = ({ ledger, askedAt, now, args, answer }: SeenWord): ReadonlyArray<string> => {
  const { endToEndId, refundId } = args[0] as RefundOrder
  const row = ledger.payments.get(endToEndId)?.returns.find(({ id }) => id === refundId)
  const { _tag } = (answer ?? { _tag: "Unknown" }) as RefundOutcome | { readonly _tag: "Unknown" }
  const isLive = row !== undefined && row.status !== "rejected" && row.isDenied !== true
  const isBack = row?.returnedAt !== undefined && row.returnedAt < askedAt
  const is = `the bank has it ${row?.status ?? "not at all"}`
  return [
    ...wrongIf(
      _tag === "Rejected" && isLive && row.createdAt < now - secondMs,
      `${refundId} is said to be refused, and ${is}`,
    ),
    ...wrongIf(_tag === "Returned" && row?.status !== "returned", `${refundId} is said to be returned, and ${is}`),
    ...wrongIf(_tag === "Unknown" && isBack, `${refundId} is said to be unknown, and ${is}`),
  ]
}

const isPayable = new Set<string | undefined>(["active", "completed"])

const wrongView = (seen: SeenWord): ReadonlyArray<string> => {
  const { ledger, listsAfterMs, askedAt, args, answer } = seen
  const charge = args[0] as Charge
  const { status, payments, returns } = answer as ProcessorView
  const { issuer, txid } = charge
  const bank = bankCharge(ledger, charge)
  const its = [...ledger.payments.values()].filter((one) => one.issuer === issuer && one.txid === txid)
  const shown = its.filter((one) =>
    payments.some((told) => isSamePayment(one, told) && told.endToEndId === one.endToEndId),
  )
  const untold = its.filter((one) => one.paidAt < askedAt - listsAfterMs - secondMs && !shown.includes(one))
  const isGone = status === "removed" || status === "unknown"
  return [
    ...wrongIf(
      isGone && isPayable.has(statusThen(seen, charge)),
      `${nameOf(txid)} is said to be ${status}, and is not`,
    ),
    ...wrongIf(
      status === "completed" && bank?.status !== "completed",
      `${nameOf(txid)} is said to be paid, and is not`,
    ),
    ...wrongIf(
      untold.length > 0 && status === "completed",
      `of ${nameOf(txid)} ${untold.length} payments are not told`,
    ),
    ...wrongIf(payments.length > shown.length, `of ${nameOf(txid)} a payment is told that the bank doesn't have`),
    ...untoldReturns(shown, returns, askedAt),
  ]
}

const wrongPage = ({ ledger, askedAt, answer }: SeenWord): ReadonlyArray<string> =>
  (answer as PaymentPage).items.flatMap((told) => {
    const bank = ledger.payments.get(told.endToEndId)
    return bank !== undefined && isSamePayment(bank, told) && bank.txid === told.txid
      ? untoldReturns([bank], told.returns, askedAt)
      : [`${nameOf(told.endToEndId)} is listed, and the bank doesn't have it so`]
  })

/** A charge is taken away only where nobody can pay it any more, and nobody has. */
const wrongRemoval = (seen: SeenWord): ReadonlyArray<string> => {
  const charge = seen.args[0] as Charge
  const status = statusThen(seen, charge)
  const isSaid = (seen.answer as CancelOutcome)._tag === "Cancelled"
  return wrongIf(
    isSaid && isPayable.has(status),
    `${nameOf(charge.txid)} is said to be cancelled, and is ${status} at the bank`,
  )
}

const wrongWords: Readonly<Record<string, (seen: SeenWord) => ReadonlyArray<string>>> = {
  refund: wrongOutcome,
  lookupRefund: wrongOutcome,
  lookup: wrongView,
  payments: wrongPage,
  cancel: wrongRemoval,
}

/** What must hold of each answer of a processor. */
export const processorRules: Rules<SeenWord> = {
  bankIsQuoted: (seen) => wrongWords[seen.method]?.(seen) ?? [],
}
