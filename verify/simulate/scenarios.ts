import type { Action } from "./Action.ts"
import {
  issueNew,
  type Making,
  payKey,
  payNewest,
  pickAftermathMs,
  refundPart,
  type Scenario,
  type Timed,
  payByKey,
  returnOutside,
} from "./actionKinds.ts"
import type { Focus } from "./conditions.ts"
import { weeks } from "./longScenarios.ts"
import { companies } from "./names.ts"
import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Soon after a charge's issue, during its first look-up, or later. */
const whenLookedUp = (random: SeededRandom): number =>
  random.pick([random.between(100, 3_000), random.between(44_000, 51_000), random.between(100, 200_000)])

/** A payment whose refund the bank refuses for an hour or two; clients request it until it succeeds. */
const refusedRefund = (making: Making): ReadonlyArray<Timed> => {
  const { random } = making
  const isOfCharge = random.chance(0.5)
  const paid: ReadonlyArray<Timed> = isOfCharge
    ? [
        [500, issueNew(making)],
        [pickAftermathMs(random), payNewest(making)],
      ]
    : [[500, payKey(making)]]
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
