import type { BankWays } from "@pixcharge/simulated-bank"
import { defaultKinds, type EventKind, factKinds } from "@pixcharge/core/charges"
import { type BankOfApiPix, pickBank } from "./bank/apiPixClient.ts"
import type { FaultRates } from "./FaultDecisions.ts"
import { makeSeededRandom, type SeededRandom } from "@pixcharge/adapter-tests/fixtures"

/**
 * What a run repeats. `refunds`: the bank refuses a refund or makes it after its caller gave up. `meetings`: slow store
 * calls overlap. `suspensions`: a process is suspended while it sends. `losses`: the store is set back. `strangers`: a
 * payment comes before its charge is known. `latecomers`: a late payment has no notice. `weeks`: days pass between steps.
 */
const focuses = ["refunds", "meetings", "suspensions", "losses", "strangers", "latecomers", "weeks"] as const
export type Focus = (typeof focuses)[number]

export const chooseFocus = (seed: number): Focus | undefined =>
  focuses[makeSeededRandom(seed ^ 0xf0c5).between(0, focuses.length + 1)]

const chooseUsualRates = (seed: number): FaultRates => {
  const random = makeSeededRandom(seed ^ 0x7a0b1e)
  const pickRate = (): number => random.pick([0, 0.01, 0.03, 0.1])
  const store = pickRate() / 4
  const bank = random.pick([0, 0.01, 0.03, 0.1, 0.2])
  return {
    store,
    slowStore: 0.03,
    bank,
    returns: bank,
    deaths: pickRate() / 20,
    lostNotices: random.pick([0, 0.2, 0.6, 1]),
    lists: random.pick([0, 0, 0, 0.2]),
    deliveries: pickRate(),
    slowReceivers: 0.2,
  }
}

const focusedRates: Partial<Record<Focus, Partial<FaultRates>>> = {
  refunds: { store: 0, bank: 0.01, returns: 0.15, deaths: 0, lostNotices: 0 },
  meetings: { slowStore: 0.4, lostNotices: 0 },
  losses: { store: 0, bank: 0.01, deaths: 0, lostNotices: 0 },
  suspensions: { slowStore: 0.4, slowReceivers: 0.6, lostNotices: 0, deaths: 0 },
  strangers: { slowStore: 0.4, lostNotices: 0 },
  latecomers: { lostNotices: 0.7, lists: 0.3 },
}

export const chooseFaultRates = (seed: number): FaultRates => ({
  ...chooseUsualRates(seed),
  ...focusedRates[chooseFocus(seed) ?? "weeks"],
})

/** The kinds of events that the processes publish: in two runs of three all of them. */
export const choosePublished = (seed: number): ReadonlyArray<EventKind> =>
  makeSeededRandom(seed ^ 0xe4e7).chance(2 / 3) ? factKinds : defaultKinds

/** True for one seed in three: the run restores a backup that is hours or days old. */
export const restoresBackup = (seed: number): boolean => makeSeededRandom(seed ^ 0xbac0).chance(1 / 3)

/** True for one seed in three: half of the charges have a due date. */
export const sellsOnTerms = (seed: number): boolean => makeSeededRandom(seed ^ 0x7e45).chance(1 / 3)

/** True for one seed in four: companies register other fees. */
export const changesFees = (seed: number): boolean => makeSeededRandom(seed ^ 0xfee5).chance(1 / 4)

/** True for one seed in four: a company issues many charges at once, and again after a process died. */
export const issuesMany = (seed: number): boolean => makeSeededRandom(seed ^ 0x3a2f).chance(1 / 4)

/** True for one seed in three: clients and the bank's staff change charges. */
export const changesCharges = (seed: number): boolean => makeSeededRandom(seed ^ 0xc4a9).chance(1 / 3)

/** True for one seed in four: keys move between companies. */
export const movesKeys = (seed: number): boolean => makeSeededRandom(seed ^ 0x3e75).chance(1 / 4)

export const chooseWays = (seed: number): Partial<BankWays> => {
  const random = makeSeededRandom(seed ^ 0xba27)
  return {
    putOnExisting: random.pick(["alters", "refuses"]),
    repeatedReturn: random.pick(["repeats", "refuses"]),
    returnPace: random.pick(["atOnce", "manual"]),
    listsAfterMs: random.pick([0, 0, 600_000]),
    pageSize: random.between(1, 4),
  }
}

export const showsKeysTo = (seed: number): boolean => makeSeededRandom(seed ^ 0x6e75).chance(0.6)

/** How the bank pages its lists. Real banks don't document this. */
const choosePages = ({ pick }: SeededRandom): Partial<BankWays> => ({
  pageCounts: pick(["right", "roundedDown", "ofThisPage", "none"]),
  pagesBeyond: pick(["empty", "lastPage"]),
  firstPage: pick([0, 1]),
})

const chooseOptions = ({ pick }: SeededRandom): Partial<BankWays> => ({
  ignoresTxid: pick([true, false]),
  code: pick(["given", "locationOnly"]),
  noticeSuffix: pick(["/pix", ""]),
  numbersAsText: pick([true, false]),
  loneObjects: pick([true, false]),
  nulls: pick([true, false]),
  keyInNotices: pick([true, false]),
  paymentsInCharges: pick([true, false]),
  creationAheadMs: pick([0, 0, -3 * 3_600_000, 90_000]),
  tokenLifetimeSeconds: pick([60, 3_600, 86_400]),
})

/** For two seeds in five, the bank that the processes call through API Pix; else undefined. */
export const chooseBank = (seed: number): BankOfApiPix | undefined => {
  const random = makeSeededRandom(seed ^ 0xa911)
  return random.chance(0.4)
    ? pickBank(random, { ...chooseWays(seed), ...choosePages(random) }, chooseOptions(random))
    : undefined
}
