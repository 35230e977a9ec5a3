import { makeRecentMap } from "../runtime/cache/RecentMap.ts"
import type { Cnpj } from "../party/Cnpj.ts"

/** The limits of at least half as many companies are kept, those used last; another company starts anew. */
const mostKept = 20_000
const firstRestMs = 1_000
const longestRestMs = 60_000

/** How many checks of one company may be under way at its processor, and since when none may. */
interface CompanyLimit {
  /** The processor answered last. Until it does, one check at a time goes as a probe. */
  isAnswering: boolean
  /** Checks that may be under way at once: halved by each call without an answer, one more after each answer. */
  atOnce: number
  /** No check is begun before this moment. Epoch milliseconds. */
  restsUntil: number
  /** How long the last rest was; 0 after an answer. */
  restMs: number
}

/**
 * Which checks may be begun: `mostAtOnce` in all, and each company's up to its own limit. Companies have connections of
 * their own: a bank that is down is left alone and delays no other company.
 */
export const makeCompanyLimits = (mostAtOnce: number) => {
  const limits = makeRecentMap<Cnpj, CompanyLimit>(mostKept)
  const underWay = new Map<Cnpj, number>()
  let total = 0

  /** The limit as of now, to be changed in place. */
  const currentLimit = (issuer: Cnpj, now: number): CompanyLimit => {
    const kept = limits.get(issuer)
    const limit = kept ?? { isAnswering: false, atOnce: mostAtOnce, restsUntil: 0, restMs: 0 }
    if (kept === undefined) limits.set(issuer, limit)
    // A clock that ran ahead has set a rest that ends later than any can.
    if (limit.restsUntil > now + longestRestMs) limit.restsUntil = 0
    return limit
  }

  const isReduced = (limit: CompanyLimit | undefined): boolean =>
    limit === undefined || !limit.isAnswering || limit.atOnce < mostAtOnce

  const reducedUnderWay = (): number => {
    let count = 0
    for (const [issuer, checks] of underWay) if (isReduced(limits.get(issuer))) count += checks
    return count
  }

  return {
    underWay: (): number => total,
    /** Counts one more check of the company as under way, if it may be begun. */
    begin: (issuer: Cnpj, now: number): boolean => {
      const own = underWay.get(issuer) ?? 0
      const limit = currentLimit(issuer, now)
      if (now < limit.restsUntil || own >= (limit.isAnswering ? limit.atOnce : 1)) return false
      // Processors that hang, however many, leave half of the places to those that answer.
      if (isReduced(limit) && reducedUnderWay() >= mostAtOnce / 2) return false
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
    /** After an answer; one that was under way when a rest began doesn't end it. */
    answered: (issuer: Cnpj, now: number): void => {
      const limit = currentLimit(issuer, now)
      if (now < limit.restsUntil) return
      limit.isAnswering = true
      limit.atOnce = Math.min(limit.atOnce + 1, mostAtOnce)
      limit.restMs = 0
    },
    /**
     * After a call without an answer: a rest of 1 s, doubled each time up to 60 s, or as long as the processor asks for, up
     * to the same.
     */
    unanswered: (issuer: Cnpj, now: number, retryAfterMs = 0): void => {
      const limit = currentLimit(issuer, now)
      // A call that was under way when the rest began says nothing new.
      if (now >= limit.restsUntil) {
        limit.isAnswering = false
        limit.atOnce = Math.max(1, Math.floor(limit.atOnce / 2))
        limit.restMs = Math.min(Math.max(2 * limit.restMs, firstRestMs), longestRestMs)
        limit.restsUntil = now + limit.restMs
      }
      limit.restsUntil = Math.max(limit.restsUntil, now + Math.min(retryAfterMs, longestRestMs))
    },
    /** Whether the company's last call had no answer. */
    isUnanswered: (issuer: Cnpj): boolean => (limits.get(issuer)?.restMs ?? 0) > 0,
    /** Until when nothing of the company is begun, in epoch milliseconds; 0 when it doesn't rest. */
    restsUntil: (issuer: Cnpj): number => limits.get(issuer)?.restsUntil ?? 0,
    /** Of how many companies something is kept. */
    keptCount: (): number => Math.max(limits.values().length, underWay.size),
  }
}
