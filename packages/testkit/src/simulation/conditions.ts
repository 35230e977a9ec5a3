import type { BankWays } from "./bank/LedgerBank.ts"
import type { Troubles } from "./Fates.ts"
import { makeSeededRandom } from "./SeededRandom.ts"

/** How much goes wrong in the run of this seed. */
export const troublesOf = (seed: number): Troubles => {
  const random = makeSeededRandom(seed ^ 0x7a0b1e)
  const level = (): number => random.pick([0, 0.01, 0.03, 0.1])
  return {
    store: level() / 4,
    bank: random.pick([0, 0.01, 0.03, 0.1, 0.2]),
    deaths: level() / 20,
    lostNotices: random.pick([0, 0.2, 0.6, 1]),
    deliveries: level(),
  }
}

/** What the bank of this seed's run is like. */
export const waysOf = (seed: number): BankWays => {
  const random = makeSeededRandom(seed ^ 0xba27)
  return {
    putOnExisting: random.pick(["alters", "refuses"]),
    repeatedReturn: random.pick(["repeats", "refuses"]),
    settles: random.pick(["atOnce", "later"]),
    listsAfterMs: random.pick([0, 0, 600_000]),
    pageSize: random.between(1, 4),
  }
}
