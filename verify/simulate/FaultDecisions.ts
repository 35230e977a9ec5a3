import * as Record from "effect/Record"
import { hashText, makeSeededRandom, type SeededRandom } from "@pixcharge/adapter-tests/fixtures"

/** The probability of each kind of fault in one run, from 0 to 1 per call. */
export interface FaultRates {
  /** A call of the store fails before or after its work. */
  readonly store: number
  readonly slowStore: number
  /** A call of the bank is lost, late or slow. */
  readonly bank: number
  /** A return is requested late, refused, slow or rejected. */
  readonly returns: number
  readonly deaths: number
  readonly lostNotices: number
  /** A payment is unreadable in the bank's list during the faults. */
  readonly lists: number
  /** A delivery or its answer gets lost. */
  readonly deliveries: number
  readonly slowReceivers: number
}

/**
 * Decides the faults of each call by the call's name, independently of other calls. So most faults stay the same if a
 * step is removed from the plan.
 */
export class FaultDecisions {
  rates: FaultRates
  readonly incidents = new Set<string>()
  readonly #seed: number
  readonly #muted: ReadonlySet<string>
  readonly #calls = new Map<string, number>()

  /** Muted incidents don't happen. */
  constructor(seed: number, troubles: FaultRates, muted: ReadonlySet<string>) {
    this.#seed = seed
    this.rates = troubles
    this.#muted = muted
  }

  calm(): void {
    this.rates = Record.map(this.rates, () => 0)
  }

  decideNext(name: string): FaultDecision {
    const count = (this.#calls.get(name) ?? 0) + 1
    this.#calls.set(name, count)
    return this.decideOnce(`${name} #${count}`)
  }

  decideOnce(key: string): FaultDecision {
    return new FaultDecision(this, key, makeSeededRandom(hashText(key, this.#seed)))
  }

  allow(incident: string): boolean {
    if (this.#muted.has(incident)) return false
    this.incidents.add(incident)
    return true
  }
}

export class FaultDecision {
  readonly key: string
  readonly random: SeededRandom
  readonly #faults: FaultDecisions

  constructor(faults: FaultDecisions, key: string, random: SeededRandom) {
    this.#faults = faults
    this.key = key
    this.random = random
  }

  hasFault(trouble: keyof FaultRates, incident: string, factor = 1): boolean {
    // Draws even for a muted incident, so muting doesn't change the next draws.
    return this.isHit(trouble, factor) && this.#faults.allow(`${incident} at ${this.key}`)
  }

  /** Like `hasFault`, but the chance isn't an incident. */
  isHit(trouble: keyof FaultRates, factor = 1): boolean {
    return this.random.chance(this.#faults.rates[trouble] * factor)
  }
}
