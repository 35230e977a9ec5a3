import type { Cnpj } from "../../party/Cnpj.ts"
import {
  afterAnswer,
  afterNoAnswer,
  type ConcurrencyLimit,
  firstLimit,
  mayBegin,
  withoutFalseRest,
} from "./ConcurrencyLimit.ts"

/** Companies whose limit is kept; beyond, the one that was called least recently starts anew. */
const mostKept = 10_000

/** Which checks may be begun: `mostAtOnce` in all, and each company's up to its own limit. */
export const makeCompanyLimits = (mostAtOnce: number) => {
  const limits = new Map<Cnpj, ConcurrencyLimit>()
  const underWay = new Map<Cnpj, number>()
  let total = 0

  const limit = (issuer: Cnpj): ConcurrencyLimit => limits.get(issuer) ?? firstLimit(mostAtOnce)

  const isReduced = ({ isAnswering, atOnce }: ConcurrencyLimit): boolean => !isAnswering || atOnce < mostAtOnce

  const reducedUnderWay = (): number => {
    let count = 0
    for (const [issuer, checks] of underWay) if (isReduced(limit(issuer))) count += checks
    return count
  }

  const keep = (issuer: Cnpj, next: ConcurrencyLimit): void => {
    limits.delete(issuer)
    limits.set(issuer, next)
    for (const [oldest] of limits) {
      if (limits.size <= mostKept) break
      limits.delete(oldest)
    }
  }

  /** The limit as of now. */
  const currentLimit = (issuer: Cnpj, now: number): ConcurrencyLimit => {
    const kept = limit(issuer)
    const current = withoutFalseRest(kept, now)
    if (current !== kept) keep(issuer, current)
    return current
  }

  return {
    underWay: (): number => total,
    /** Counts one more check of the company as under way, if it may be begun. */
    begin: (issuer: Cnpj, now: number): boolean => {
      const own = underWay.get(issuer) ?? 0
      const current = currentLimit(issuer, now)
      if (!mayBegin(current, own, now)) return false
      // Processors that hang, however many, leave half of the places to those that answer.
      if (isReduced(current) && reducedUnderWay() >= mostAtOnce / 2) return false
      underWay.set(issuer, own + 1)
      total += 1
      return true
    },
    end: (issuer: Cnpj): void => {
      const left = (underWay.get(issuer) ?? 0) - 1
      if (left > 0) underWay.set(issuer, left)
      else underWay.delete(issuer)
      total -= 1
    },
    answered: (issuer: Cnpj, now: number): void =>
      keep(issuer, afterAnswer(currentLimit(issuer, now), now, mostAtOnce)),
    unanswered: (issuer: Cnpj, now: number, retryAfterMs?: number): void =>
      keep(issuer, afterNoAnswer(currentLimit(issuer, now), now, retryAfterMs)),
    /** Whether the company's last call had no answer. */
    isUnanswered: (issuer: Cnpj): boolean => limits.get(issuer)?.isAnswering === false,
    /** Until when nothing of the company is begun, in epoch milliseconds; 0 when it doesn't rest. */
    restsUntil: (issuer: Cnpj): number => limit(issuer).restsUntil,
    kept: (): number => limits.size,
  }
}
