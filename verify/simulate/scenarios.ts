import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import type { Action } from "./Action.ts"
import {
  chargeAmount,
  issueNew,
  type Making,
  payByKey,
  payKey,
  payNewest,
  pickAftermathMs,
  refundPart,
  returnOutside,
  type Scenario,
  type Timed,
} from "./actionKinds.ts"
import { companies } from "./names.ts"
import type { Focus } from "./conditions.ts"

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 24 * 3_600_000]

const someDays = (random: SeededRandom, maxDays: number): number =>
  random.between(1, maxDays) * dayMs - random.between(0, hourMs)

/** A charge that is issued and paid; the payment and the charge are the newest of the plan. */
const paidCharge = (making: Making, waitMs = making.random.between(500, dayMs)): ReadonlyArray<Timed> => [
  [waitMs, issueNew(making)],
  [pickAftermathMs(making.random), payNewest(making)],
]

/** Disputes, returns and refunds of a payment come days and weeks after it, in parts or whole. */
const returnedLater: Scenario = (making) => {
  const { random } = making
  const paid = paidCharge(making)
  const { charges: charge, payments: payment } = making
  const outside = () => returnOutside(payment, random, 0.4, 0.6)
  const later = (): Action =>
    random.chance(0.5) ? outside() : random.pick([{ do: "refund", charge }, refundPart(charge, random)])
  const days = random.pick([5, 20, 30])
  return [...paid, [3 * dayMs + someDays(random, days), outside()], [someDays(random, days), later()]]
}

/** The bank refuses or rejects each return of a payment for a week, and the refund is requested again every few days. */
const refusedForDays: Scenario = (making) => {
  const { random } = making
  const isOfCharge = random.chance(0.6)
  const paid: ReadonlyArray<Timed> = isOfCharge ? paidCharge(making) : [[random.between(500, dayMs), payKey(making)]]
  const { charges: charge, payments: payment } = making
  const ofCharge: Action = random.chance(0.5) ? { do: "refund", charge } : refundPart(charge, random)
  const action: Action = isOfCharge ? ofCharge : { do: "refundException", payment }
  const gapMs = (): number => 26 * hourMs + random.between(0, 2 * dayMs)
  return [
    ...paid,
    [minuteMs, { do: random.pick(["block", "reject", "reject"]), payment, ms: random.between(4, 9) * dayMs }],
    [minuteMs, action],
    [gapMs(), action],
    [gapMs(), action],
  ]
}

/** A receiver fails for days, wants no events, or asks to be left alone for a while. Its dead letters are replayed. */
const deafReceiver: Scenario = (making) => {
  const { random } = making
  const company = (making.charges + 1) % companies.length
  const endpoint = random.pick([company, company, companies.length])
  const status = random.pick([undefined, undefined, 410, 429] as const)
  const ms = status === 410 ? 30 * dayMs : random.between(2, 8) * dayMs
  return [
    [random.between(500, dayMs), { do: "receiverDown", endpoint, ms, ...(status !== undefined && { status }) }],
    ...paidCharge(making),
    [random.between(minuteMs, dayMs), { do: "refund", charge: making.charges }],
    [someDays(random, 8), { do: "resume", endpoint }],
    [minuteMs, { do: "replayDead", company }],
  ]
}

/** An operator pauses an endpoint for days while a charge is paid. */
const pausedEndpoint: Scenario = (making) => {
  const { random } = making
  const endpoint = random.pick([(making.charges + 1) % companies.length, companies.length])
  return [
    [random.between(500, dayMs), { do: "pause", endpoint }],
    ...paidCharge(making),
    [someDays(random, 9), { do: "resume", endpoint }],
  ]
}

/** A charge is paid again, or with other cents, days after it ended, on processes whose clocks are corrected. */
const paidLater: Scenario = (making) => {
  const { random } = making
  const issued = issueNew(making)
  making.payments += 1
  const { charges: charge, payments: payment } = making
  return [
    [random.between(500, dayMs), issued],
    [random.between(0, hourMs), { do: "shiftClock", place: random.next() }],
    [someDays(random, 3), payByKey(charge, chargeAmount(charge) - random.pick([0, 1]))],
    [random.between(hourMs, dayMs), { do: random.pick(["refundException", "resolveException"]), payment }],
  ]
}

const usual: readonly [Scenario, ...ReadonlyArray<Scenario>] = [
  returnedLater,
  returnedLater,
  refusedForDays,
  refusedForDays,
]

/** Weeks with the actions, and so the faults, of one day. */
const weeks: Scenario = (making) => making.random.pick([...usual, deafReceiver, pausedEndpoint, paidLater])(making)

/** Soon after a charge's issue, during its first look-up, or later. */
const whenLookedUp = (random: SeededRandom): number =>
  random.pick([random.between(100, 3_000), random.between(44_000, 51_000), random.between(100, 200_000)])

/** A payment whose refund the bank refuses for an hour or two; clients request it until it succeeds. */
const refusedRefund = (making: Making): ReadonlyArray<Timed> => {
  const { random } = making
  const isOfCharge = random.chance(0.5)
  const paid: ReadonlyArray<Timed> = isOfCharge ? paidCharge(making, 500) : [[500, payKey(making)]]
  const { payments: payment, charges } = making
  const chargeRefund = (): Action =>
    random.chance(0.5) ? { do: "refund", charge: charges } : refundPart(charges, random)
  const action: Action = isOfCharge ? chargeRefund() : { do: "refundException", payment }
  const block: Action = { do: "block", payment, ms: random.between(30, 120) * minuteMs }
  const maxMs = random.pick([20 * minuteMs, 80 * minuteMs])
  // The same request again, another refund of the payment, or the bank's own return.
  const askAgain = (): Action => {
    if (random.chance(0.15)) return { do: "returnOutside", payment, isWhole: random.chance(0.7), isDispute: true }
    return isOfCharge && random.chance(0.3) ? chargeRefund() : action
  }
  const repeats = Array.from({ length: random.between(2, 5) }, (): Timed => [random.between(1_000, maxMs), askAgain()])
  const isIssued = !isOfCharge && random.chance(0.6)
  return [
    ...paid,
    [10, block],
    [5_000, action],
    ...repeats,
    ...(isOfCharge ? [[random.between(1_000, 80 * minuteMs), chargeRefund()] as const] : []),
    ...(isIssued ? [[minuteMs, issueNew(making)] as const] : []),
  ]
}

/** A payment that is refunded while a process that can be about to send its event is suspended. */
const suspendedSender = (making: Making): ReadonlyArray<Timed> => {
  const { random } = making
  const issued = issueNew(making)
  const { charges: charge } = making
  const ms = random.between(31_000, random.pick([45_000, 200_000]))
  const suspended = random.between(0, 1)
  return [
    [random.between(500, 200_000), issued],
    [pickAftermathMs(random), payNewest(making)],
    [random.between(500, 6_000), { do: "suspend", ms }, suspended],
    [random.between(0, ms), { do: "refund", charge }, suspended + 1],
  ]
}

/** A refund that the store loses. It is requested again with the same amount or another. */
const forgottenRefund = (making: Making): ReadonlyArray<Timed> => {
  const { random } = making
  const issued = issueNew(making)
  const { charges: charge } = making
  const ask = (): Action => (random.chance(0.3) ? { do: "refund", charge } : refundPart(charge, random))
  const action = ask()
  const isOther = action.do === "refundPart" && random.chance(0.4)
  const again = isOther ? { ...action, amountCents: action.amountCents + 1 } : random.pick([action, ask()])
  const passedMs = random.between(200, random.pick([2_000, 20_000]))
  return [
    [random.between(500, 200_000), issued],
    [pickAftermathMs(random), payNewest(making)],
    [random.between(2_000, 6_000), action],
    [passedMs, { do: "setBack", ms: passedMs + random.between(-100, 1_000) }],
    [random.between(9_000, 12_000), again],
    [random.between(1_000, 60_000), random.pick([again, ask()])],
  ]
}

/** A payment of an unknown charge that is partly returned or decided before the charge is issued. */
const earlyPayment = (making: Making): ReadonlyArray<Timed> => {
  const { random } = making
  making.payments += 1
  const { payments: payment } = making
  const charge = making.charges + 1
  const outside = () => returnOutside(payment, random, 0.4)
  const decide = (): Action => ({ do: random.pick(["refundException", "resolveException"]), payment })
  const between = Array.from({ length: random.between(0, 2) }, (): Timed => [
    random.between(100, 20_000),
    random.chance(0.6) ? outside() : decide(),
  ])
  const issued = issueNew(making)
  const after: ReadonlyArray<Action> = [
    { do: "pay", charge },
    { do: "cancel", charge },
    { do: "refund", charge },
    refundPart(charge, random),
    outside(),
  ]
  return [
    [random.between(500, 100_000), payByKey(charge)],
    ...between,
    [random.between(100, 20_000), issued],
    [whenLookedUp(random), random.pick(after as readonly [Action])],
  ]
}

/** A payment after its charge's look-up, in time or late, partly returned in the next days; or the bank removes the charge. */
const latePayment = (making: Making): ReadonlyArray<Timed> => {
  const { random } = making
  const issued = issueNew(making)
  making.payments += 1
  const { charges: charge, payments: payment } = making
  const paid: Action = random.chance(0.6) ? { do: "pay", charge } : payByKey(charge)
  const waitMs = paid.do === "pay" ? 14 * minuteMs : random.pick([1, 1, 1, 1, 26]) * hourMs
  const after: ReadonlyArray<Action> = [
    returnOutside(payment, random),
    refundPart(charge, random),
    { do: "refund", charge },
    { do: random.pick(["compare", "reconcile"]), company: charge % companies.length },
  ]
  const at = [random.between(500, 100_000), random.between(50_000, waitMs)] as const
  if (random.chance(0.25))
    return [
      [at[0], issued],
      [Math.round(at[1] / 2), { do: "remove", charge }],
    ]
  return [
    [at[0], issued],
    [at[1], paid],
    [random.between(1_000, random.chance(0.15) ? 30 * hourMs : minuteMs), random.pick(after as readonly [Action])],
  ]
}

export const scenarios: Partial<Record<Focus, Scenario>> = {
  refunds: refusedRefund,
  suspensions: suspendedSender,
  losses: forgottenRefund,
  strangers: earlyPayment,
  latecomers: latePayment,
  weeks,
}
