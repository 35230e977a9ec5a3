import type { Action } from "./Action.ts"
import { companies } from "./names.ts"
import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"

export const chargeAmount = (charge: number): number => 1_000 + charge

/** Depends only on the charge, so repeated calls request the same due date. */
export const usualDueIn = (charge: number) => (charge % 7 === 5 ? { dueInDays: charge % 3 } : {})

/** The cents of a change's variant that changes them. */
export const changedCents = (charge: number, variant: number): number => chargeAmount(charge) + 2_000 + 100 * variant

export interface Making {
  readonly random: SeededRandom
  charges: number
  payments: number
  /** The charge that gets most of the actions at present. */
  focus: number
  paid: number
  readonly kinds: Kinds
  /** True if a step often has two actions of different kinds. */
  readonly doMeet: boolean
}

export const issue = (charge: number, random: SeededRandom): Action => ({
  do: "issue",
  charge,
  amountCents: chargeAmount(charge),
  ...usualDueIn(charge),
  ...(random.chance(0.12) && { amountCents: chargeAmount(charge) + 500 }),
})

/** A charge of the plan, usually the focused one, so it has many actions. */
const aCharge = (making: Making): number => {
  const { random, charges } = making
  if (random.chance(0.15)) making.focus = random.between(1, charges)
  return making.focus
}

const aPaidCharge = (making: Making): number => (making.random.chance(0.8) ? making.paid : aCharge(making))

/** A payment of the plan, usually a recent one. */
const aPayment = ({ random, payments }: Making): number =>
  Math.max(1, random.chance(0.6) ? payments - random.between(0, 1) : random.between(1, payments))

type Kind = (making: Making) => Action
export type Kinds = ReadonlyArray<readonly [weight: number, Kind]>

export const pay: Kind = (making) => {
  making.payments += 1
  const charge = aCharge(making)
  making.paid = charge
  return { do: "pay", charge, ...(making.random.chance(0.08) && { amountCents: chargeAmount(charge) - 300 }) }
}

export const issueNew: Kind = (making) => {
  making.charges += 1
  making.focus = making.charges
  return issue(making.charges, making.random)
}

export const payNewest: Kind = (making) => {
  making.payments += 1
  return { do: "pay", charge: making.charges }
}

const issueAgain: Kind = (making) => issue(aCharge(making), making.random)

export const payKey: Kind = (making) => {
  making.payments += 1
  const names = making.random.chance(0.5) && { charge: making.charges + making.random.between(0, 1) }
  const isAstray = making.random.chance(0.1) && ({ isAstray: true } as const)
  return {
    do: "payKey",
    company: making.random.between(0, companies.length - 1),
    amountCents: 777,
    ...names,
    ...isAstray,
  }
}

const dayMs = 24 * 3_600_000

/** A payment near the age limit of refunds: the limit is the coming midnight in Brasília, or has passed. */
const payLongAgo: Kind = (making) => {
  making.payments += 1
  const agoMs = 90 * dayMs + making.random.between(-600_000, 26 * 3_600_000)
  return { do: "payKey", company: making.random.between(0, companies.length - 1), amountCents: 778, agoMs }
}

/** The bank returns a payment, with these chances of the whole amount and of a dispute. */
export const returnOutside = (payment: number, random: SeededRandom, whole = 0.5, dispute = 0.5): Action => ({
  do: "returnOutside",
  payment,
  isWhole: random.chance(whole),
  isDispute: random.chance(dispute),
})

/** A payment to the key of a charge's company that names the charge. */
export const payByKey = (charge: number, amountCents = chargeAmount(charge)): Action => ({
  do: "payKey",
  company: charge % companies.length,
  amountCents,
  charge,
})

export const refund: Kind = (making) => ({ do: "refund", charge: aPaidCharge(making) })

/** The parts of the n-th charge with their keys. Together they are the charge's amount. */
const chargeParts = (charge: number): ReadonlyArray<readonly [key: string, amountCents: number]> => [
  ["a", 300],
  ["b", 400],
  ["c", chargeAmount(charge) - 700],
]

/** Requests a partial refund, sometimes with another amount under the same key. */
export const refundPart = (charge: number, random: SeededRandom): Action => {
  const [key, amountCents] = random.pick(chargeParts(charge) as readonly [readonly [string, number]])
  return { do: "refundPart", charge, key, amountCents: random.chance(0.08) ? amountCents + 1 : amountCents }
}

const refundException: Kind = (making) => ({ do: "refundException", payment: aPayment(making) })

export const kinds: Kinds = [
  [16, issueNew],
  [8, issueAgain],
  [24, pay],
  [9, payKey],
  [2, payLongAgo],
  [
    2,
    ({ random }) => ({ do: random.pick(["compare", "reconcile"]), company: random.between(0, companies.length - 1) }),
  ],
  [7, (making) => returnOutside(aPayment(making), making.random)],
  [20, refund],
  [18, (making) => refundPart(aPaidCharge(making), making.random)],
  [6, (making) => ({ do: "cancel", charge: aCharge(making) })],
  [5, (making) => ({ do: "status", charge: aPaidCharge(making) })],
  [2, (making) => ({ do: "replay", charge: aCharge(making) })],
  [9, refundException],
  [5, (making) => ({ do: "resolveException", payment: aPayment(making) })],
  [3, () => ({ do: "kill" })],
  [2, () => ({ do: "stop" })],
  [1, ({ random }) => ({ do: "setBack", ms: random.between(1, random.pick([5_000, 600_000])) })],
  [4, ({ random }) => ({ do: "suspend", ms: random.between(500, random.chance(0.5) ? 60_000 : 600_000) })],
  [
    3,
    ({ random }) => ({
      do: "receiverDown",
      endpoint: random.between(0, companies.length),
      ms: random.between(1_000, 1_200_000),
    }),
  ],
]

/** Milliseconds since the previous action, the action, and its process, if fixed. */
export type Timed = readonly [afterMs: number, action: Action, host?: number]

export type Scenario = (making: Making) => ReadonlyArray<Timed>

/** At that time the bank has made the charge and a notice has arrived. Earlier actions usually fail. */
export const pickAftermathMs = (random: SeededRandom): number => random.between(300, 3_000)
