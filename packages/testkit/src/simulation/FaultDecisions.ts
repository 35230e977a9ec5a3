import { hashText, makeSeededRandom, type SeededRandom } from "./SeededRandom.ts"

/** How likely it is that things go wrong in one run, each from 0 to 1 for one call. */
export interface FaultRates {
  /** A call of the store fails, before it is carried out or after. */
  readonly store: number
  /** A call of the store takes seconds. */
  readonly slowStore: number
  /** A call of the bank is lost, late or slow. */
  readonly bank: number
  /** A return is asked for late, refused, slow or rejected. */
  readonly returns: number
  /** A process dies at a call. */
  readonly deaths: number
  /** A notice of the bank doesn't arrive. */
  readonly lostNotices: number
  /** A payment can't be read in the bank's list as long as things go wrong. */
  readonly lists: number
  /** A delivery doesn't arrive, or its answer doesn't. */
  readonly deliveries: number
  /** A receiver takes seconds. */
  readonly slowReceivers: number
}

const noFaults: FaultRates = {
  store: 0,
  slowStore: 0,
  bank: 0,
  returns: 0,
  deaths: 0,
  lostNotices: 0,
  lists: 0,
  deliveries: 0,
  slowReceivers: 0,
}

/**
 * What becomes of each call, by its name: that of one call doesn't depend on which others there are, so that a history
 * from which something is left out goes on much as before.
 */
export class FaultDecisions {
  rates: FaultRates
  /** The things that went wrong, by name. */
  readonly incidents = new Set<string>()
  readonly #seed: number
  readonly #muted: ReadonlySet<string>
  readonly #calls = new Map<string, number>()

  /** What is muted does not go wrong. */
  constructor(seed: number, troubles: FaultRates, muted: ReadonlySet<string>) {
    this.#seed = seed
    this.rates = troubles
    this.#muted = muted
  }

  /** From now on nothing goes wrong. */
  calm(): void {
    this.rates = noFaults
  }

  /** The next call of this name. */
  decideNext(name: string): FaultDecision {
    const count = (this.#calls.get(name) ?? 0) + 1
    this.#calls.set(name, count)
    return this.decideOnce(`${name} #${count}`)
  }

  /** What has the same decision whenever it is asked for. */
  decideOnce(key: string): FaultDecision {
    return new FaultDecision(this, key, makeSeededRandom(hashText(key, this.#seed)))
  }

  allow(incident: string): boolean {
    if (this.#muted.has(incident)) return false
    this.incidents.add(incident)
    return true
  }
}

/** What becomes of one call. */
export class FaultDecision {
  readonly key: string
  readonly random: SeededRandom
  readonly #faults: FaultDecisions

  constructor(faults: FaultDecisions, key: string, random: SeededRandom) {
    this.#faults = faults
    this.key = key
    this.random = random
  }

  /** Whether this goes wrong, with a probability that the run's troubles name. */
  hasFault(trouble: keyof FaultRates, incident: string, factor = 1): boolean {
    // Drawn in any case, so that what is drawn next stays the same.
    return this.isHit(trouble, factor) && this.#faults.allow(`${incident} at ${this.key}`)
  }

  /** The same of what is no incident: nothing goes wrong by it. */
  isHit(trouble: keyof FaultRates, factor = 1): boolean {
    return this.random.chance(this.#faults.rates[trouble] * factor)
  }
}
