import { type DebitAttempt, isLiveAttempt, mayStillDebit } from "./Debit.ts"

/** An attempt only moves on from one of these to a later one. */
const progress: Record<DebitAttempt["status"], number> = {
  unknown: 0,
  requested: 1,
  scheduled: 2,
  rejected: 3,
  expired: 3,
  cancelled: 3,
  paid: 4,
}

/** The banks' orders of one day, in the order in which they are made. */
const orderOnDay: Record<DebitAttempt["kind"], number> = { first: 0, retry: 1, resent: 2 }

const compare = (one: DebitAttempt, other: DebitAttempt): number =>
  one.on === other.on ? orderOnDay[one.kind] - orderOnDay[other.kind] : one.on < other.on ? -1 : 1

const isSame = (one: DebitAttempt, other: DebitAttempt): boolean =>
  one.kind === other.kind &&
  one.on === other.on &&
  (one.endToEndId ?? other.endToEndId) === (other.endToEndId ?? one.endToEndId)

/** The attempt as it is known where the bank shows nothing new of it. */
const advance = (known: DebitAttempt | undefined, shown: DebitAttempt): DebitAttempt => {
  if (known === undefined) return shown
  const { status, code = known.code, endToEndId = known.endToEndId } = shown
  const isOld = progress[status] < progress[known.status]
  const isNothingNew = status === known.status && code === known.code && endToEndId === known.endToEndId
  return isOld || isNothingNew ? known : { ...known, ...shown }
}

/**
 * The attempts that are known and those that a bank shows, in the order of their days. A view may be older than one that came
 * before it: it takes back nothing. What the bank shows no more is kept, except an order whose day is over.
 */
export const mergeAttempts = (
  known: ReadonlyArray<DebitAttempt>,
  shown: ReadonlyArray<DebitAttempt>,
  now: number,
): ReadonlyArray<DebitAttempt> => {
  const rest = [...known]
  const merged = shown.toSorted(compare).map((attempt) => {
    const index = rest.findIndex((other) => isSame(attempt, other))
    return advance(index === -1 ? undefined : rest.splice(index, 1)[0], attempt)
  })
  const unseen = rest.filter((attempt) => !isLiveAttempt(attempt) || mayStillDebit(attempt, now))
  return [...merged, ...unseen].toSorted(compare)
}
