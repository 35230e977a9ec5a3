import type { Evidence, Sale, Told } from "./Evidence.ts"

/**
 * A statement waits 15 s for its answer. What is repeatable is sent again within these 15 s, and a call may have to wait
 * for the statement before it, and for another one to take its place.
 */
const maxCallMs = 45_000

/** How far a charge has come; it goes no way back. */
const ranks: Readonly<Record<string, number>> = { pending: 0, cancelled: 1, paid: 1, refunding: 2, refunded: 3 }

const aboutCharge = new Set(["issue", "find", "confirmPayment", "cancel", "refund"])

const rankOf = ({ operation, answer }: Told): number =>
  (aboutCharge.has(operation) && answer !== undefined ? ranks[answer.status] : undefined) ?? -1

/** Answers that say less than one that had come before their call was made. */
const stale = ({ id, told }: Sale): ReadonlyArray<string> =>
  told.flatMap((later) => {
    const before = told.find((one) => one.endedAt < later.beganAt && rankOf(one) > rankOf(later) && rankOf(later) >= 0)
    if (before === undefined) return []
    return [`charge ${id} was ${before.answer?.status}, and ${later.operation} then said ${later.answer?.status}`]
  })

/** What callers were told that contradicts itself, or came too late. */
export const judgeCalls = ({ sales, attempts }: Evidence): ReadonlyArray<string> => [
  ...sales.flatMap(stale),
  ...attempts
    .map((one) => ({ ...one, tookMs: one.endedAt - one.beganAt }))
    .filter(({ tookMs }) => tookMs > maxCallMs)
    .map(({ operation, issuer, host, tookMs }) => `hang: ${operation} of ${issuer} took ${tookMs} ms at ${host}`),
]
