import type { Charge } from "@pixcharge/core/charges"
import { isPartBack } from "../../simulate/judge/index.ts"
import type { Evidence, Operation, Sale, GivenAnswer } from "./Evidence.ts"
import type { RowBooks } from "./readBooks.ts"

/** The order of a charge's states. A charge never returns to a lower rank. */
const ranks: Readonly<Record<string, number>> = { pending: 0, cancelled: 1, paid: 1, refunding: 2, refunded: 3 }

const aboutCharge = new Set(["issue", "find", "confirmPayment", "cancel", "refund"])

const rankAnswer = ({ operation, answer }: GivenAnswer): number =>
  (aboutCharge.has(operation) && answer !== undefined ? ranks[answer.status] : undefined) ?? -1

/** Finds answers that have an earlier state than an answer that came before their call. */
const findStale = (answers: ReadonlyArray<GivenAnswer>): ReadonlyArray<string> =>
  answers.flatMap((later) => {
    const before = answers.find(
      (one) => one.endedAt < later.beganAt && rankAnswer(one) > rankAnswer(later) && rankAnswer(later) >= 0,
    )
    if (before === undefined) return []
    return [`was ${before.answer?.status}, and ${later.operation} then said ${later.answer?.status}`]
  })

const findAnswers = ({ answers: told }: Sale, ...operations: ReadonlyArray<Operation>): ReadonlyArray<GivenAnswer> =>
  told.filter(({ operation, answer }) => operations.includes(operation) && answer !== undefined)

/** Finds answers that contradict the charge's row. The row counts as the last answer. */
const judgeCharge = (sale: Sale, charge: Charge): ReadonlyArray<string> => {
  const settledBy = "payment" in charge ? charge.payment.endToEndId : undefined
  const answer = { status: charge._tag.toLowerCase() }
  const flaws = [
    ...findStale([...sale.answers, { operation: "find", key: "", beganAt: Infinity, endedAt: Infinity, answer }]),
  ]
  if (charge.amountCents !== sale.amountCents) flaws.push(`has ${charge.amountCents} cents`)
  if (charge._tag === "Cancelled" && findAnswers(sale, "cancel").length === 0)
    flaws.push("was cancelled without a request")
  for (const { answer: issued } of findAnswers(sale, "issue")) {
    const isSame = issued?.transactionId === charge.transactionId && issued?.brCode === charge.brCode
    if (!isSame) flaws.push("was issued as another charge")
  }
  for (const { answer: paid, operation } of findAnswers(sale, "confirmPayment", "find")) {
    if (paid?.settledBy !== undefined && paid.settledBy !== settledBy)
      flaws.push(`was paid by ${paid.settledBy} according to ${operation}, but is paid by ${settledBy}`)
  }
  return flaws
}

/** Finds returned parts without an answer that says so, and the reverse. */
const judgeParts = (sale: Sale, { partialRefunds = [], returns }: Charge): ReadonlyArray<string> =>
  [...sale.parts.keys()].flatMap((key) => {
    const isReportedBack = findAnswers(sale, "refundPart").some(
      (one) => one.key === key && one.answer?.status === "returned",
    )
    const isBack = partialRefunds.some((part) => part.key === key && isPartBack(part, returns))
    return isReportedBack === isBack
      ? []
      : [`part ${key} was ${isBack ? "" : "not "}returned, but the answers say otherwise`]
  })

/**
 * Finds a version that is too low. The first payment, a cancellation and a resolution each add one version. A refund
 * adds two, because it is stored before the bank is called.
 */
const judgeVersion = (version: number, moves: number, refunds: number): ReadonlyArray<string> => {
  const least = moves + 2 * refunds
  return version < least ? [`has version ${version}, but must have at least version ${least}`] : []
}

const judgeExceptions = (sale: Sale, { txid }: Charge, books: RowBooks): ReadonlyArray<string> =>
  books.all.exceptions
    .filter(({ payment }) => payment.txid === txid)
    .flatMap(({ payment: { endToEndId }, state: { _tag }, version, returns }) => {
      const isAnswered = (operation: Operation) => findAnswers(sale, operation).some(({ key }) => key === endToEndId)
      const isResolved = isAnswered("exceptions.resolve")
      const expected = isAnswered("exceptions.refund") ? "Refunded" : isResolved ? "Resolved" : "Open"
      return [
        ...(_tag === expected ? [] : [`was answered as ${expected}, but is ${_tag}`]),
        ...judgeVersion(version, isResolved ? 1 : 0, returns.length),
      ].map((flaw) => `exception ${endToEndId} ${flaw}`)
    })

export const judgeAnswers = ({ sales }: Evidence, books: RowBooks): ReadonlyArray<string> => {
  const charges = new Map<string, Charge>(books.all.charges.map((charge) => [charge.id, charge]))
  const invented = new Set(charges.keys())
  for (const { id } of sales) invented.delete(id)
  const findFlaws = (sale: Sale): ReadonlyArray<string> => {
    const charge = charges.get(sale.id)
    if (charge === undefined) return findAnswers(sale, "issue").length > 0 ? ["was issued, but is lost"] : []
    const isMoved = charge._tag !== "Pending"
    return [
      ...judgeCharge(sale, charge),
      ...judgeParts(sale, charge),
      ...judgeVersion(charge.version, isMoved ? 1 : 0, charge.returns.length),
      ...judgeExceptions(sale, charge, books),
    ]
  }
  return [
    ...[...invented].map((id) => `charge ${id} exists without a request`),
    ...sales.flatMap((sale) => findFlaws(sale).map((flaw) => `charge ${sale.id} ${flaw}`)),
  ]
}
