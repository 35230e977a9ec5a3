import type { Cnpj } from "../../model/party/Cnpj.ts"
import { nextDelayMs } from "../../runtime/breaker.ts"
import { makeRecentMap } from "../../runtime/RecentMap.ts"

/** Maximum number of companies with a kept limit. */
const maxKept = 20_000
const maxCoolDownMs = 60_000
const coolDowns = { firstMs: 1_000, maxMs: maxCoolDownMs }

interface CompanyLimit {
  isAnswering: boolean
  /** Concurrent checks: halved by an unanswered call, plus one after each answer. */
  atOnce: number
  coolDownUntil: number
  /** 0 after an answer. */
  coolDownMs: number
}

/** In all (`maxAtOnce`) and per company: a bank that is down doesn't delay other companies. */
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

  begin(issuer: Cnpj, now: number): boolean {
    const own = this.#underWay.get(issuer) ?? 0
    const limit = this.#current(issuer, now)
    if (now < limit.coolDownUntil || own >= (limit.isAnswering ? limit.atOnce : 1)) return false
    // Companies whose bank hangs get half of the places at most.
    if (this.#isReduced(limit) && this.#reducedUnderWay() >= this.#maxAtOnce / 2) return false
    this.#underWay.set(issuer, own + 1)
    this.#total += 1
    return true
  }

  end(issuer: Cnpj): void {
    const remaining = (this.#underWay.get(issuer) ?? 0) - 1
    if (remaining > 0) this.#underWay.set(issuer, remaining)
    else this.#underWay.delete(issuer)
    this.#total -= 1
  }

  /** Ignores an answer to a call from before the cool-down. */
  recordAnswer(issuer: Cnpj, now: number): void {
    const limit = this.#current(issuer, now)
    if (now < limit.coolDownUntil) return
    limit.isAnswering = true
    limit.atOnce = Math.min(limit.atOnce + 1, this.#maxAtOnce)
    limit.coolDownMs = 0
  }

  /** The cool-down is 1 s, doubled each time up to 60 s; or the processor's `retryAfterMs`, at most 60 s. */
  recordSilence(issuer: Cnpj, now: number, retryAfterMs = 0): void {
    const limit = this.#current(issuer, now)
    if (now >= limit.coolDownUntil) {
      limit.isAnswering = false
      limit.atOnce = Math.max(1, Math.floor(limit.atOnce / 2))
      limit.coolDownMs = nextDelayMs(coolDowns, limit.coolDownMs)
      limit.coolDownUntil = now + limit.coolDownMs
    }
    limit.coolDownUntil = Math.max(limit.coolDownUntil, now + Math.min(retryAfterMs, maxCoolDownMs))
  }

  isSilent(issuer: Cnpj): boolean {
    return (this.#limits.get(issuer)?.coolDownMs ?? 0) > 0
  }

  /** Epoch milliseconds; 0 without a cool-down. */
  coolDownUntil(issuer: Cnpj): number {
    return this.#limits.get(issuer)?.coolDownUntil ?? 0
  }

  get keptCount(): number {
    return Math.max(this.#limits.values().length, this.#underWay.size)
  }

  #current(issuer: Cnpj, now: number): CompanyLimit {
    const kept = this.#limits.get(issuer)
    const limit = kept ?? { isAnswering: false, atOnce: this.#maxAtOnce, coolDownUntil: 0, coolDownMs: 0 }
    if (kept === undefined) this.#limits.set(issuer, limit)
    // A clock that ran ahead set this cool-down.
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
