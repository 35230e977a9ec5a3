import { type Focus, focusOf } from "./conditions.ts"
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
  /** The payer's account takes nothing back for a while. */
  | { readonly do: "block"; readonly payment: number; readonly ms: number }
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

/** How much time passes between two steps: up to these lengths in milliseconds, each as often as its share says. */
type Pace = ReadonlyArray<readonly [share: number, mostMs: number]>

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** In some runs all happens at once, in others days pass. */
const paces: readonly [Pace, ...ReadonlyArray<Pace>] = [
  [
    [0.7, 60],
    [0.2, 1_500],
    [0.1, 30_000],
  ],
  [
    [0.5, 60],
    [0.27, 1_500],
    [0.15, 30_000],
    [0.06, 7 * minuteMs],
    [0.02, 8 * hourMs],
  ],
  [
    [0.4, 100],
    [0.2, 3_000],
    [0.15, minuteMs],
    [0.15, 20 * minuteMs],
    [0.1, 3 * hourMs],
  ],
]

const gapMs = (random: SeededRandom, pace: Pace): number => {
  let at = random.next()
  let leastMs = 0
  for (const [share, mostMs] of pace) {
    at -= share
    if (at < 0) return random.between(leastMs, mostMs)
    leastMs = mostMs
  }
  return leastMs
}

/** The bank makes a charge, and a notice comes in, within so long: what follows sooner mostly comes to nothing. */
const afterwardsMs = (random: SeededRandom): number => random.between(300, 3_000)

const amountOf = (charge: number): number => 1_000 + charge

interface Making {
  readonly random: SeededRandom
  /** Charges that were asked for so far. */
  charges: number
  payments: number
  /** The charge to which most happens for now. */
  focus: number
  /** The charge that was paid last. */
  paid: number
  readonly kinds: Kinds
  /** What is done at the same time is often of different kinds. */
  readonly doMeet: boolean
}

const issue = (charge: number, random: SeededRandom): Action => ({
  do: "issue",
  charge,
  amountCents: amountOf(charge),
  // The same for each call of one charge.
  ...(charge % 7 === 5 && { dueInDays: charge % 3 }),
  ...(random.chance(0.12) && { amountCents: amountOf(charge) + 500 }),
})

/** One of the charges so far; mostly the same, so that much happens to it. */
const aCharge = (making: Making): number => {
  const { random, charges } = making
  if (random.chance(0.15)) making.focus = random.between(1, charges)
  return making.focus
}

const aPaidCharge = (making: Making): number => (making.random.chance(0.8) ? making.paid : aCharge(making))

/** One of the payments so far; mostly one of the last. */
const aPayment = ({ random, payments }: Making): number =>
  Math.max(1, random.chance(0.6) ? payments - random.between(0, 1) : random.between(1, payments))

type Kind = (making: Making) => Action
/** Each as often as its weight says. */
type Kinds = ReadonlyArray<readonly [weight: number, Kind]>

const pay: Kind = (making) => {
  making.payments += 1
  const charge = aCharge(making)
  making.paid = charge
  return { do: "pay", charge, ...(making.random.chance(0.08) && { amountCents: amountOf(charge) - 300 }) }
}

const issueNew: Kind = (making) => {
  making.charges += 1
  making.focus = making.charges
  return issue(making.charges, making.random)
}

/** Pays the charge that was issued last. */
const payNewest: Kind = (making) => {
  making.payments += 1
  return { do: "pay", charge: making.charges }
}

const issueAgain: Kind = (making) => issue(aCharge(making), making.random)

const payKey: Kind = (making) => {
  making.payments += 1
  const names = making.random.chance(0.5) && { charge: making.charges + making.random.between(0, 1) }
  return { do: "payKey", company: making.random.between(0, 1), amountCents: 777, ...names }
}

const returnOutside: Kind = (making) => ({
  do: "returnOutside",
  payment: aPayment(making),
  isWhole: making.random.chance(0.6),
  isDispute: making.random.chance(0.5),
})

const refund: Kind = (making) => ({ do: "refund", charge: aPaidCharge(making) })

const refundException: Kind = (making) => ({ do: "refundException", payment: aPayment(making) })

/** What may be done next. */
const kinds: Kinds = [
  [16, issueNew],
  [8, issueAgain],
  [24, pay],
  [7, payKey],
  [6, returnOutside],
  [20, refund],
  [6, (making) => ({ do: "cancel", charge: aCharge(making) })],
  [5, (making) => ({ do: "status", charge: aCharge(making) })],
  [2, (making) => ({ do: "replay", charge: aCharge(making) })],
  [9, refundException],
  [2, (making) => ({ do: "resolveException", payment: aPayment(making) })],
  [3, () => ({ do: "kill" })],
  [2, () => ({ do: "stop" })],
  [4, ({ random }) => ({ do: "suspend", ms: random.between(500, random.chance(0.5) ? 60_000 : 600_000) })],
  [3, ({ random }) => ({ do: "receiverDown", endpoint: random.between(0, 3), ms: random.between(1_000, 1_200_000) })],
]

/** What somebody may do at the same time as another does this, so that one of the two comes too late. */
const rivals = (action: Action): readonly [Action, ...ReadonlyArray<Action>] => {
  switch (action.do) {
    case "refund":
      return [action, { do: "cancel", charge: action.charge }]
    case "cancel":
      return [{ do: "pay", charge: action.charge }, action]
    case "refundException":
    case "resolveException": {
      const { payment } = action
      return [
        { do: "refundException", payment },
        { do: "resolveException", payment },
        { do: "returnOutside", payment, isWhole: false, isDispute: false },
      ]
    }
    default:
      return [action]
  }
}

const anAction = (making: Making): Action => {
  const total = making.kinds.reduce((sum, [weight]) => sum + weight, 0)
  let at = making.random.next() * total
  for (const [weight, kind] of making.kinds) {
    at -= weight
    if (at < 0) return kind(making)
  }
  return pay(making)
}

/** What is done at about the same time: mostly once, else by two who don't know of each other. */
const actions = (making: Making): ReadonlyArray<Action> => {
  const action = anAction(making)
  const { random, doMeet } = making
  const isTwice = random.chance(doMeet ? 0.6 : 0.25) && action.do !== "pay" && action.do !== "payKey"
  if (!isTwice) return [action]
  if (action.do === "issue") return [action, issue(action.charge, random)]
  return [action, doMeet ? random.pick(rivals(action)) : action]
}

/** Milliseconds since the action before, the action, and on which process, if not on any. */
type Timed = readonly [afterMs: number, action: Action, host?: number]

/** A payment whose refund is refused for an hour or two, and asked for again until it is not. */
const refusedRefund = (making: Making): ReadonlyArray<Timed> => {
  const { random } = making
  const isOfCharge = random.chance(0.5)
  const paid: ReadonlyArray<Timed> = isOfCharge
    ? [
        [500, issueNew(making)],
        [afterwardsMs(random), payNewest(making)],
      ]
    : [[500, payKey(making)]]
  const { payments: payment, charges } = making
  const asked: Action = isOfCharge ? { do: "refund", charge: charges } : { do: "refundException", payment }
  const block: Action = { do: "block", payment, ms: random.between(30, 120) * minuteMs }
  const mostMs = random.pick([20 * minuteMs, 80 * minuteMs])
  const repeats = Array.from({ length: random.between(2, 5) }, (): Timed => [random.between(1_000, mostMs), asked])
  const isIssued = !isOfCharge && random.chance(0.6)
  return [
    ...paid,
    [10, block],
    [5_000, asked],
    ...repeats,
    ...(isIssued ? [[minuteMs, issueNew(making)] as const] : []),
  ]
}

/** A payment whose money is refunded while a process sleeps that may be about to tell of it. */
const unawareProcess = (making: Making): ReadonlyArray<Timed> => {
  const { random } = making
  const issued = issueNew(making)
  const { charges: charge } = making
  const ms = random.between(31_000, random.pick([45_000, 200_000]))
  const asleep = random.between(0, 1)
  return [
    [random.between(500, 200_000), issued],
    [afterwardsMs(random), payNewest(making)],
    [random.between(500, 6_000), { do: "suspend", ms }, asleep],
    [random.between(0, ms), { do: "refund", charge }, asleep + 1],
  ]
}

/** What is done over and over in runs with a focus. */
const scenarios: Partial<Record<Focus, (making: Making) => ReadonlyArray<Timed>>> = {
  refunds: refusedRefund,
  suspensions: unawareProcess,
}

const followsLater = ({ do: done }: Action): boolean => done === "pay" || done === "payKey" || done === "issue"

/** What is done in the run of this seed. The first two steps issue a charge of each company. */
export const makePlan = (seed: number, steps: number, hosts: number): ReadonlyArray<Step> => {
  const random = makeSeededRandom(seed ^ 0x5eed)
  const pace = random.pick(paces)
  // One run does much of this and little of that, another the reverse: rare things meet more often than by equal chances.
  const varied = kinds.map(([weight, kind]) => [weight * random.pick([0.2, 1, 1, 4]), kind] as const)
  const focus = focusOf(seed)
  const making: Making = {
    random,
    charges: 2,
    payments: 0,
    focus: 1,
    paid: 1,
    kinds: varied,
    doMeet: focus === "meetings",
  }
  const plan: Array<Step> = []
  const add = (afterMs: number, action: Action, host = random.between(0, hosts - 1)) =>
    plan.push({ afterMs, host, action })
  for (const charge of [1, 2]) add(200, { do: "issue", charge, amountCents: amountOf(charge) })
  const scenario = focus && scenarios[focus]
  while (scenario && plan.length < steps) for (const timed of scenario(making)) add(...timed)
  while (plan.length < steps) {
    const before = plan.at(-1)
    const isLater = before !== undefined && followsLater(before.action) && random.chance(0.6)
    const [first, ...others] = actions(making)
    if (first !== undefined) add(isLater ? afterwardsMs(random) : gapMs(random, pace), first)
    for (const other of others) add(random.between(0, 80), other)
    // Who is refused, or told that it takes time, asks again.
    const isRepeated = first !== undefined && (first.do === "refund" || first.do === "refundException")
    if (isRepeated && random.chance(0.5)) add(random.between(1_000, minuteMs), first)
  }
  return plan.slice(0, steps)
}
