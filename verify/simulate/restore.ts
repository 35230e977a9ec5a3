import type { Action, Step } from "./Action.ts"
import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import type { Timed } from "./actionKinds.ts"
import { companies } from "./names.ts"

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The actions that clients repeat after a restore, under the same ids. */
const isRepeated = ({ do: done }: Action): boolean =>
  ["issue", "change", "refund", "refundPart", "refundException", "resolveException"].includes(done)

const shuffle = <A>(items: ReadonlyArray<A>, random: SeededRandom): ReadonlyArray<A> =>
  items
    .map((item) => [random.next(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item)

/**
 * Restores a backup hours or days old, made at one of these steps during its calls and notices. Then each company is reconciled
 * and clients repeat their requests since the backup, in any order.
 */
export const restore = (plan: ReadonlyArray<Step>, random: SeededRandom): ReadonlyArray<Timed> => {
  const at = random.between(1, plan.length - 1)
  const sinceMs = plan.slice(at + 1).reduce((sum, { afterMs }) => sum + afterMs, 0)
  const ageMs = random.between(hourMs, random.pick([4, 20, 50]) * hourMs)
  const lateMs = random.between(0, random.pick([1_000, 5_000]))
  const repeated = new Map(
    plan.slice(at).flatMap(({ action }) => (isRepeated(action) ? [[JSON.stringify(action), action] as const] : [])),
  )
  const reconciled = companies.map((_, company): Action => ({ do: "reconcile", company }))
  const gapMs = random.pick([2_000, 5 * minuteMs, hourMs])
  return [
    [ageMs, { do: "setBack", ms: Math.max(hourMs, ageMs + sinceMs - lateMs) }],
    ...shuffle([...repeated.values(), ...reconciled], random).map((action, n): Timed => [
      n === 0 ? random.between(9_000, 20_000) : random.between(0, gapMs),
      action,
    ]),
  ]
}
