import type { Cnpj } from "../../model/party/Cnpj.ts"
import { nextDelayMs } from "../../runtime/breaker.ts"
import { makeRecentMap } from "../../runtime/RecentMap.ts"

/** At least half as many limits are kept, those used last. Any other company begins with a new limit. */
const maxKept = 20_000
const maxCoolDownMs = 60_000
const coolDowns = { firstMs: 1_000, maxMs: maxCoolDownMs }

/** How many checks of one company can be under way at its processor, and the end of its cool-down. */
interface CompanyLimit {
  /** The processor's last call was answered. If not, one check at a time goes as a probe. */
  isAnswering: boolean
  /** Checks that can be under way at once: halved by each unanswered call, one more after each answer. */
  atOnce: number
  /** No check is begun before then. Epoch milliseconds. */
  coolDownUntil: number
  /** The length of the last cool-down; 0 after an answer. */
  coolDownMs: number
}

/**
 * Limits the checks under way: `maxAtOnce` in all, and each company to its own limit. Companies have their own bank connections,
 * so a bank that is down delays no other company.
 */
export class CompanyLimits {
  readonly #maxAtOnce: number
  readonly #limits = makeRecentMap<Cnpj, CompanyLimit>(maxKept)
  readonly #underWay = new Map<Cnpj, number>()
  #total = 0

  constructor(maxAtOnce: number) {
    this.#maxAtOnce = maxAtOnce
  }

  get underWay(): number {
    return this.#total
  }

  /** Counts one more check of the company as under way, if it can be begun. */
  begin(issuer: Cnpj, now: number): boolean {
    const own = this.#underWay.get(issuer) ?? 0
    const limit = this.#current(issuer, now)
    if (now < limit.coolDownUntil || own >= (limit.isAnswering ? limit.atOnce : 1)) return false
    // Hanging processors, in any number, leave half of the places to the others.
    if (this.#isReduced(limit) && this.#reducedUnderWay() >= this.#maxAtOnce / 2) return false
    this.#underWay.set(issuer, own + 1)
    this.#total += 1
    return true
  }

  end(issuer: Cnpj): void {
    const left = (this.#underWay.get(issuer) ?? 0) - 1
    if (left > 0) this.#underWay.set(issuer, left)
    else this.#underWay.delete(issuer)
    this.#total -= 1
  }

  /** Records an answer. An answer to a call from before a cool-down doesn't end the cool-down. */
  recordAnswer(issuer: Cnpj, now: number): void {
    const limit = this.#current(issuer, now)
    if (now < limit.coolDownUntil) return
    limit.isAnswering = true
    limit.atOnce = Math.min(limit.atOnce + 1, this.#maxAtOnce)
    limit.coolDownMs = 0
  }

  /**
   * Records an unanswered call: a cool-down of 1 s, doubled each time up to 60 s, or the processor's `retryAfterMs`, up to 60 s.
   */
  recordSilence(issuer: Cnpj, now: number, retryAfterMs = 0): void {
    const limit = this.#current(issuer, now)
    // A call from before the cool-down tells us nothing new.
    if (now >= limit.coolDownUntil) {
      limit.isAnswering = false
      limit.atOnce = Math.max(1, Math.floor(limit.atOnce / 2))
      limit.coolDownMs = nextDelayMs(coolDowns, limit.coolDownMs)
      limit.coolDownUntil = now + limit.coolDownMs
    }
    limit.coolDownUntil = Math.max(limit.coolDownUntil, now + Math.min(retryAfterMs, maxCoolDownMs))
  }

  /** Whether the company's last call was unanswered. */
  isSilent(issuer: Cnpj): boolean {
    return (this.#limits.get(issuer)?.coolDownMs ?? 0) > 0
  }

  /** The end of the company's cool-down in epoch milliseconds; 0 without one. */
  coolDownUntil(issuer: Cnpj): number {
    return this.#limits.get(issuer)?.coolDownUntil ?? 0
  }

  get keptCount(): number {
    return Math.max(this.#limits.values().length, this.#underWay.size)
  }

  /** The company's limit as of now, to change in place. */
  #current(issuer: Cnpj, now: number): CompanyLimit {
    const kept = this.#limits.get(issuer)
    const limit = kept ?? { isAnswering: false, atOnce: this.#maxAtOnce, coolDownUntil: 0, coolDownMs: 0 }
    if (kept === undefined) this.#limits.set(issuer, limit)
    // Ends a cool-down set by a clock that ran ahead.
    if (limit.coolDownUntil > now + maxCoolDownMs) limit.coolDownUntil = 0
    return limit
  }

  #isReduced(limit: CompanyLimit | undefined): boolean {
    return limit === undefined || !limit.isAnswering || limit.atOnce < this.#maxAtOnce
  }

  #reducedUnderWay(): number {
    let count = 0
    for (const [issuer, checks] of this.#underWay) if (this.#isReduced(this.#limits.get(issuer))) count += checks
    return count
  }
}
