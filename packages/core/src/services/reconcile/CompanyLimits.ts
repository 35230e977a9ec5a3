import type { Cnpj } from "../../model/party/Cnpj.ts"
import { nextDelayMs } from "../../runtime/breaker.ts"
import { makeRecentMap } from "../../runtime/RecentMap.ts"

/** The limits of at least half as many companies are kept, those used last; another company begins with a new one. */
const maxKept = 20_000
const maxCoolDownMs = 60_000
const coolDowns = { firstMs: 1_000, maxMs: maxCoolDownMs }

/** How many checks of one company may be under way at its processor, and since when none may. */
interface CompanyLimit {
  /** The processor answered last. Until it does, one check at a time goes as a probe. */
  isAnswering: boolean
  /** Checks that may be under way at once: halved by each call without an answer, one more after each answer. */
  atOnce: number
  /** No check is begun before this moment. Epoch milliseconds. */
  coolDownUntil: number
  /** How long the last rest was; 0 after an answer. */
  coolDownMs: number
}

/**
 * Which checks may be begun: `maxAtOnce` in all, and each company's up to its own limit. Companies have connections of
 * their own: a bank that is down is left alone and delays no other company.
 */
export class CompanyLimits {
  readonly #maxAtOnce: number
  readonly #limits = makeRecentMap<Cnpj, CompanyLimit>(maxKept)
  readonly #underWay = new Map<Cnpj, number>()
  #total = 0

  constructor(maxAtOnce: number) {
    this.#maxAtOnce = maxAtOnce
  }

  /** How many checks are under way. */
  get underWay(): number {
    return this.#total
  }

  /** Counts one more check of the company as under way, if it may be begun. */
  begin(issuer: Cnpj, now: number): boolean {
    const own = this.#underWay.get(issuer) ?? 0
    const limit = this.#current(issuer, now)
    if (now < limit.coolDownUntil || own >= (limit.isAnswering ? limit.atOnce : 1)) return false
    // Processors that hang, however many, leave half of the places to those that answer.
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

  /** After an answer. One to a call that was under way when a rest began doesn't end the rest. */
  recordAnswer(issuer: Cnpj, now: number): void {
    const limit = this.#current(issuer, now)
    if (now < limit.coolDownUntil) return
    limit.isAnswering = true
    limit.atOnce = Math.min(limit.atOnce + 1, this.#maxAtOnce)
    limit.coolDownMs = 0
  }

  /**
   * After a call without an answer: a rest of 1 s, doubled each time up to 60 s, or as long as the processor asks for, up
   * to the same.
   */
  recordSilence(issuer: Cnpj, now: number, retryAfterMs = 0): void {
    const limit = this.#current(issuer, now)
    // A call that was under way when the rest began says nothing new.
    if (now >= limit.coolDownUntil) {
      limit.isAnswering = false
      limit.atOnce = Math.max(1, Math.floor(limit.atOnce / 2))
      limit.coolDownMs = nextDelayMs(coolDowns, limit.coolDownMs)
      limit.coolDownUntil = now + limit.coolDownMs
    }
    limit.coolDownUntil = Math.max(limit.coolDownUntil, now + Math.min(retryAfterMs, maxCoolDownMs))
  }

  /** Whether the company's last call had no answer. */
  isSilent(issuer: Cnpj): boolean {
    return (this.#limits.get(issuer)?.coolDownMs ?? 0) > 0
  }

  /** Until when nothing of the company is begun, in epoch milliseconds; 0 when it doesn't rest. */
  coolDownUntil(issuer: Cnpj): number {
    return this.#limits.get(issuer)?.coolDownUntil ?? 0
  }

  /** Of how many companies something is kept. */
  get keptCount(): number {
    return Math.max(this.#limits.values().length, this.#underWay.size)
  }

  /** The company's limit as of now, to be changed in place. */
  #current(issuer: Cnpj, now: number): CompanyLimit {
    const kept = this.#limits.get(issuer)
    const limit = kept ?? { isAnswering: false, atOnce: this.#maxAtOnce, coolDownUntil: 0, coolDownMs: 0 }
    if (kept === undefined) this.#limits.set(issuer, limit)
    // A clock that ran ahead has set a rest that ends later than any can.
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
