import type { Charge } from "@pixcharge/core/charges"
import { isPartBack } from "../../simulate/judge/index.ts"
import type { Evidence, Operation, Sale, GivenAnswer } from "./Evidence.ts"
import type { RowBooks } from "./readBooks.ts"

/** The order of a charge's states, which never go back. */
const ranks: Readonly<Record<string, number>> = { pending: 0, cancelled: 1, paid: 1, refunding: 2, refunded: 3 }

const aboutCharge = new Set(["issue", "find", "confirmPayment", "cancel", "refund"])

const rankAnswer = ({ operation, answer }: GivenAnswer): number =>
  (aboutCharge.has(operation) && answer !== undefined ? ranks[answer.status] : undefined) ?? -1

/** Answers that say less than an answer given before their call. */
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

/** Answers about a charge that contradict its row. The row counts as the last answer. */
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
      flaws.push(`was paid by ${paid.settledBy}, said ${operation}, and is by ${settledBy}`)
  }
  return flaws
}

/** Parts returned without an answer that says so, or the reverse. */
const judgeParts = (sale: Sale, { partialRefunds = [], returns }: Charge): ReadonlyArray<string> =>
  [...sale.parts.keys()].flatMap((key) => {
    const isReportedBack = findAnswers(sale, "refundPart").some(
      (one) => one.key === key && one.answer?.status === "returned",
    )
    const isBack = partialRefunds.some((part) => part.key === key && isPartBack(part, returns))
    return isReportedBack === isBack ? [] : [`part ${key} is ${isBack ? "" : "not "}back, and that was told otherwise`]
  })

/**
 * Each move has a version: one for the first payment, a cancellation or a resolution; two for each refund, which is stored before
 * the bank is called.
 */
const judgeVersion = (version: number, moves: number, refunds: number): ReadonlyArray<string> => {
  const least = moves + 2 * refunds
  return version < least ? [`has moved ${version} times, and must have ${least} times or more`] : []
}

const judgeExceptions = (sale: Sale, { txid }: Charge, books: RowBooks): ReadonlyArray<string> =>
  books.all.exceptions
    .filter(({ payment }) => payment.txid === txid)
    .flatMap(({ payment: { endToEndId }, state: { _tag }, version, returns }) => {
      const isAnswered = (operation: Operation) => findAnswers(sale, operation).some(({ key }) => key === endToEndId)
      const isResolved = isAnswered("exceptions.resolve")
      const expected = isAnswered("exceptions.refund") ? "Refunded" : isResolved ? "Resolved" : "Open"
      return [
        ...(_tag === expected ? [] : [`was told ${expected}, and is ${_tag}`]),
        ...judgeVersion(version, isResolved ? 1 : 0, returns.length),
      ].map((flaw) => `exception ${endToEndId} ${flaw}`)
    })

export const judgeAnswers = ({ sales }: Evidence, books: RowBooks): ReadonlyArray<string> => {
  const charges = new Map<string, Charge>(books.all.charges.map((charge) => [charge.id, charge]))
  const invented = new Set(charges.keys())
  for (const { id } of sales) invented.delete(id)
  const findFlaws = (sale: Sale): ReadonlyArray<string> => {
    const charge = charges.get(sale.id)
    if (charge === undefined) return findAnswers(sale, "issue").length > 0 ? ["was issued, and is lost"] : []
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
