/** A full return of a payment, ordered by us. Its id follows from payment and attempt: asking twice returns the money once. */
export interface Refund {
  /** At the processor (`devolucao.id`). */
  readonly id: string
  /** From 1. */
  readonly attempt: number
  /** Epoch milliseconds. */
  readonly requestedAt: number
  /**
   * When the processor was asked for it by calls that have no answer, oldest first: they are under way, or their answer is
   * lost and they may be carried out yet. Absent when there are none. Epoch milliseconds.
   */
  readonly unanswered?: ReadonlyArray<number>
}

/** A refund that the processor did not carry out. */
export interface FailedRefund extends Refund {
  /** The processor's own words. */
  readonly reason: string
}

/** A processor that has not carried an unanswered call out by then is taken not to have heard it. */
export const unansweredForMs = 3_600_000

/** A processor that answers nothing for days must not make the list long, nor be called without end. */
const mostUnanswered = 16

/** In both directions: a call far ahead was counted by a clock that ran ahead. */
const isOld = (calledAt: number, now: number): boolean => Math.abs(now - calledAt) >= unansweredForMs

/**
 * The refund once one more call for it is about to be made, counted at a moment that no other call has; undefined while
 * too many have no answer. Only old ones are ever left out, and one of them stays, for it keeps the id (`nextRefund`): a
 * call that was forgotten could be carried out after the refusal of all others had ended the refund.
 */
export const withCall = (refund: Refund, now: number): Refund | undefined => {
  const { unanswered = [] } = refund
  const oldest = unanswered.find((calledAt) => isOld(calledAt, now))
  const kept =
    unanswered.length < mostUnanswered
      ? unanswered
      : unanswered.filter((calledAt) => calledAt === oldest || !isOld(calledAt, now))
  if (kept.length >= mostUnanswered) return undefined
  let calledAt = now
  while (kept.includes(calledAt)) calledAt += 1
  return { ...refund, unanswered: [...kept, calledAt] }
}

/** The refund once a call for it has its answer. */
export const withoutCall = ({ unanswered = [], ...refund }: Refund, calledAt: number): Refund => {
  const at = unanswered.lastIndexOf(calledAt)
  const rest = at < 0 ? unanswered : unanswered.toSpliced(at, 1)
  return rest.length === 0 ? refund : { ...refund, unanswered: rest }
}

/** The refund once its outcome is on record at the processor: calls without an answer can change nothing any more. */
export const withoutCalls = ({ unanswered: _, ...refund }: Refund): Refund => refund

/** A refusal ends the refund unless another call for it may still be carried out. */
export const isRefusalFinal = ({ unanswered = [] }: Refund, now: number): boolean =>
  unanswered.every((calledAt) => isOld(calledAt, now))

/**
 * The next attempt after a refund that failed. It has a new id only if the processor can't carry out the old one any more:
 * with a call for the old one unanswered, a new id could return the money twice. The first call of a new id is counted
 * here, at `requestedAt`; with an old id the processor is asked what became of it first.
 */
export const nextRefund = (
  failed: FailedRefund | undefined,
  idOfAttempt: (attempt: number) => string,
  now: number,
): Refund => {
  if (failed?.unanswered !== undefined) {
    const { reason: _, ...same } = failed
    return { ...same, requestedAt: now }
  }
  const attempt = (failed?.attempt ?? 0) + 1
  return { id: idOfAttempt(attempt), attempt, requestedAt: now, unanswered: [now] }
}

/** When the only call for the refund was begun, if that is the one that was counted as it was requested. */
export const firstCallAt = ({ requestedAt, unanswered = [] }: Refund): number | undefined =>
  unanswered.length === 1 && unanswered[0] === requestedAt ? requestedAt : undefined
