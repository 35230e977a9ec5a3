import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import type { Action } from "./Action.ts"
import {
  chargeAmount,
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
import { companies } from "./names.ts"

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 24 * 3_600_000]

const someDays = (random: SeededRandom, maxDays: number): number =>
  random.between(1, maxDays) * dayMs - random.between(0, hourMs)

/** A charge that is issued and paid; the payment and the charge are the newest of the plan. */
const paidCharge = (making: Making): ReadonlyArray<Timed> => [
  [making.random.between(500, dayMs), issueNew(making)],
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
export const weeks: Scenario = (making) =>
  making.random.pick([...usual, deafReceiver, pausedEndpoint, paidLater])(making)
