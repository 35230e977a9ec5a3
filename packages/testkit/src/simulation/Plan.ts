import { makeSeededRandom, type SeededRandom } from "./SeededRandom.ts"

/** What somebody does: a client, a payer, the bank's staff, or who runs the processes. Charges and payments by number. */
export type Action =
  /** A client asks for a charge: a new one, the same again, or one of another amount under the same id. */
  | {
      readonly do: "issue"
      readonly charge: number
      readonly amountCents: number
      readonly dueInDays?: number
    }
  | { readonly do: "status" | "refund" | "cancel" | "replay"; readonly charge: number }
  | { readonly do: "pay"; readonly charge: number; readonly amountCents?: number }
  /** A payer pays to the key, naming a charge that may not be known yet, or nothing. */
  | { readonly do: "payKey"; readonly company: number; readonly amountCents: number; readonly charge?: number }
  /** Money goes back at the bank without a refund of ours. */
  | { readonly do: "returnOutside"; readonly payment: number; readonly isWhole: boolean; readonly isDispute: boolean }
  | { readonly do: "refundException" | "resolveException"; readonly payment: number }
  /** The process dies, or ends in order; another starts in its place. */
  | { readonly do: "kill" | "stop" }
  /** The process stops where it is, and goes on later: a machine that sleeps, a long collection of garbage. */
  | { readonly do: "suspend"; readonly ms: number }
  | { readonly do: "receiverDown"; readonly endpoint: number; readonly ms: number }

/** An action, how long after the one before, and on which process. */
export interface Step {
  readonly afterMs: number
  readonly host: number
  readonly action: Action
}

const gapMs = (random: SeededRandom): number => {
  const kind = random.next()
  if (kind < 0.45) return random.between(0, 40)
  if (kind < 0.72) return random.between(40, 1_500)
  if (kind < 0.88) return random.between(1_500, 30_000)
  if (kind < 0.97) return random.between(30_000, 400_000)
  return random.between(400_000, 8 * 3_600_000)
}

const amountOf = (charge: number): number => 1_000 + charge

interface Making {
  readonly random: SeededRandom
  /** Charges that were asked for so far. */
  charges: number
  payments: number
}

const issue = (charge: number, random: SeededRandom): Action => ({
  do: "issue",
  charge,
  amountCents: amountOf(charge),
  // The same for each call of one charge.
  ...(charge % 7 === 5 && { dueInDays: charge % 3 }),
  ...(random.chance(0.12) && { amountCents: amountOf(charge) + 500 }),
})

/** One of the charges so far; mostly of the last ones, so that much happens to the same. */
const aCharge = ({ random, charges }: Making): number =>
  random.chance(0.75) ? random.between(Math.max(1, charges - 2), charges) : random.between(1, charges)

const aPayment = ({ random, payments }: Making): number => random.between(1, Math.max(1, payments))

type Kind = (making: Making) => Action

const pay: Kind = (making) => {
  making.payments += 1
  const charge = aCharge(making)
  return { do: "pay", charge, ...(making.random.chance(0.08) && { amountCents: amountOf(charge) - 300 }) }
}

/** What may be done next, each as often as its weight says. */
const kinds: ReadonlyArray<readonly [weight: number, Kind]> = [
  [
    16,
    (making) => {
      making.charges += 1
      return issue(making.charges, making.random)
    },
  ],
  [8, (making) => issue(aCharge(making), making.random)],
  [24, pay],
  [
    4,
    (making) => {
      making.payments += 1
      const names = making.random.chance(0.5) && { charge: making.charges + making.random.between(0, 1) }
      return { do: "payKey", company: making.random.between(0, 1), amountCents: 777, ...names }
    },
  ],
  [
    6,
    (making) => ({
      do: "returnOutside",
      payment: aPayment(making),
      isWhole: making.random.chance(0.6),
      isDispute: making.random.chance(0.5),
    }),
  ],
  [18, (making) => ({ do: "refund", charge: aCharge(making) })],
  [6, (making) => ({ do: "cancel", charge: aCharge(making) })],
  [5, (making) => ({ do: "status", charge: aCharge(making) })],
  [2, (making) => ({ do: "replay", charge: aCharge(making) })],
  [6, (making) => ({ do: "refundException", payment: aPayment(making) })],
  [2, (making) => ({ do: "resolveException", payment: aPayment(making) })],
  [3, () => ({ do: "kill" })],
  [2, () => ({ do: "stop" })],
  [4, ({ random }) => ({ do: "suspend", ms: random.between(500, random.chance(0.5) ? 60_000 : 600_000) })],
  [3, ({ random }) => ({ do: "receiverDown", endpoint: random.between(0, 3), ms: random.between(1_000, 1_200_000) })],
]

const totalWeight = kinds.reduce((sum, [weight]) => sum + weight, 0)

const anAction = (making: Making): Action => {
  let at = making.random.next() * totalWeight
  for (const [weight, kind] of kinds) {
    at -= weight
    if (at < 0) return kind(making)
  }
  return pay(making)
}

/** What is done in the run of this seed. The first two steps issue a charge of each company. */
export const makePlan = (seed: number, steps: number, hosts: number): ReadonlyArray<Step> => {
  const random = makeSeededRandom(seed ^ 0x5eed)
  const making: Making = { random, charges: 2, payments: 0 }
  return Array.from({ length: steps }, (_, n) => ({
    afterMs: n < 2 ? 200 : gapMs(random),
    host: random.between(0, hosts - 1),
    action: n < 2 ? { do: "issue", charge: n + 1, amountCents: amountOf(n + 1) } : anAction(making),
  }))
}
