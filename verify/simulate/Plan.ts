import type { Action, Step } from "./Action.ts"
import { chargeAmount, issue, kinds, type Making, pay, pickAftermathMs, refund, refundPart } from "./actionKinds.ts"
import { changeCharges, changeFees, issueMany, moveKeys, restore } from "./changePlan.ts"
import { changesCharges, changesFees, chooseFocus, issuesMany, movesKeys, restoresBackup } from "./conditions.ts"
import { scenarios } from "./scenarios.ts"
import { makeSeededRandom, type SeededRandom } from "@pixcharge/adapter-tests/fixtures"

/** How delays between steps are drawn: each upper bound is used with its probability. */
type Pace = ReadonlyArray<readonly [share: number, maxMs: number]>

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The steps of some runs are milliseconds apart. Other runs take days. */
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
  [
    [0.5, 100],
    [0.3, 20 * minuteMs],
    [0.17, 3 * hourMs],
    [0.03, 100 * hourMs],
  ],
]

const gapMs = (random: SeededRandom, pace: Pace): number => {
  let at = random.next()
  let leastMs = 0
  for (const [share, maxMs] of pace) {
    at -= share
    if (at < 0) return random.between(leastMs, maxMs)
    leastMs = maxMs
  }
  return leastMs
}

const rivals = (action: Action, random: SeededRandom): readonly [Action, ...ReadonlyArray<Action>] => {
  switch (action.do) {
    case "refund":
      return [action, { do: "cancel", charge: action.charge }, refundPart(action.charge, random)]
    case "refundPart":
      return [action, refundPart(action.charge, random), { do: "refund", charge: action.charge }]
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
  let at = making.random.next() * making.kinds.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, kind] of making.kinds) {
    at -= weight
    if (at < 0) return kind(making)
  }
  return pay(making)
}

/** The actions of one step: usually one, sometimes two independent actions at the same time. */
const actions = (making: Making): ReadonlyArray<Action> => {
  const action = anAction(making)
  const { random, doMeet } = making
  const twice = action.do === "issue" ? 0.4 : 0.25
  const isTwice = random.chance(doMeet ? 0.6 : twice) && action.do !== "pay" && action.do !== "payKey"
  if (!isTwice) return [action]
  if (action.do === "issue") return [action, issue(action.charge, random)]
  if (action.do === "refundPart" && random.chance(0.5)) return [action, refundPart(action.charge, random)]
  return [action, doMeet ? random.pick(rivals(action, random)) : action]
}

const followsLater = ({ do: done }: Action): boolean => done === "pay" || done === "payKey" || done === "issue"

/** Makes the plan of a run. The first steps issue a charge for each company. */
export const makePlan = (seed: number, steps: number, hosts: number): ReadonlyArray<Step> => {
  const random = makeSeededRandom(seed ^ 0x5eed)
  const pace = random.pick(paces)
  // Each run prefers different actions, so rare actions coincide more often.
  const varied = kinds.map(([weight, kind]) => [weight * random.pick([0.2, 1, 1, 4]), kind] as const)
  const focus = chooseFocus(seed)
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
  for (const charge of [1, 2]) add(200, { do: "issue", charge, amountCents: chargeAmount(charge) })
  const scenario = focus && scenarios[focus]
  const stepsBefore = restoresBackup(seed) ? Math.ceil(steps * 0.45) : steps
  while (scenario && plan.length < stepsBefore) for (const timed of scenario(making)) add(...timed)
  while (plan.length < stepsBefore) {
    const before = plan.at(-1)
    const isLater = before !== undefined && followsLater(before.action) && random.chance(0.6)
    const [first, ...others] = actions(making)
    if (first !== undefined) add(isLater ? pickAftermathMs(random) : gapMs(random, pace), first)
    for (const other of others) add(random.between(0, 80), other)
    // The company decides on a payment without a charge.
    if (first?.do === "payKey" && random.chance(0.5)) {
      const seen = random.chance(0.5) ? "refundException" : "resolveException"
      add(random.between(1_000, minuteMs), { do: seen, payment: making.payments })
    }
    // Requests the rest after a partial refund.
    const isPart = first?.do === "returnOutside" && !first.isWhole
    if (isPart && random.chance(0.6)) add(random.between(1_000, minuteMs), refund(making))
    // Requests another partial refund, under the same key or a different one.
    if (first?.do === "refundPart") {
      const again = random.chance(0.4) ? first : refundPart(first.charge, random)
      if (random.chance(0.8)) add(random.between(100, random.chance(0.5) ? 2_000 : minuteMs), again)
    }
    // Repeats a refused or slow refund.
    if (first?.do === "refund" || first?.do === "refundException") {
      if (random.chance(0.5)) add(random.between(1_000, minuteMs), first)
      else if (first.do === "refund") add(random.between(100, minuteMs), { do: "status", charge: first.charge })
    }
  }
  const known = plan.slice(0, stepsBefore)
  const changed = changesCharges(seed) ? changeCharges(known, makeSeededRandom(seed ^ 0xc4a)) : known
  plan.splice(0, plan.length, ...changed)
  const wanted = changed.length + steps - stepsBefore
  while (plan.length < wanted) for (const timed of restore(changed, random)) add(...timed)
  const planned = plan.slice(0, wanted)
  const many = issuesMany(seed) ? issueMany(planned, makeSeededRandom(seed ^ 0x3a3)) : planned
  const priced = changesFees(seed) ? changeFees(many, makeSeededRandom(seed ^ 0xf33)) : many
  return movesKeys(seed) ? moveKeys(priced, makeSeededRandom(seed ^ 0x3a9)) : priced
}
