import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import type { Action, Step } from "./Action.ts"
import { changedCents, chargeAmount, type Timed, usualDueIn } from "./actionKinds.ts"
import { companies } from "./names.ts"

const [minuteMs, hourMs] = [60_000, 3_600_000]

/** The time to the next act: at the same moment, soon, during the first checks, or much later. */
const someMs = (random: SeededRandom): number =>
  random.between(0, random.pick([80, 3_000, 3_000, 90_000, 14 * minuteMs, random.pick([hourMs, 30 * hourMs])]))

/** What clients, payers and the bank do with one charge after its issue. */
const changeOne = (charge: number, random: SeededRandom): ReadonlyArray<Timed> => {
  const change = () => ({
    do: "change" as const,
    charge,
    key: random.pick(["a", "b", "c"]),
    variant: random.between(0, 11),
  })
  const first = change()
  const again = (): Action => (random.chance(0.2) ? { ...first, variant: first.variant + 1 } : first)
  const pay = (): Action => {
    const amountCents = changedCents(charge, first.variant)
    const ways = [{}, { revisionsAgo: 1 }, { revisionsAgo: 2 }, { amountCents }] as const
    return { do: "pay", charge, ...random.pick<Partial<Record<"revisionsAgo" | "amountCents", number>>>(ways) }
  }
  const acts: ReadonlyArray<() => Action> = [
    again,
    again,
    change,
    change,
    () => ({ do: "changeAtBank", charge, amountCents: chargeAmount(charge) + random.pick([0, 5_000, 5_001]) }),
    () => ({ do: "issue", charge, amountCents: chargeAmount(charge), ...usualDueIn(charge) }),
    () => (random.chance(0.3) ? { do: "kill" } : { do: random.pick(["cancel", "status"]), charge }),
    pay,
  ]
  const between = Array.from({ length: random.between(1, 4) }, (): Timed => [
    someMs(random),
    random.pick(acts as readonly [() => Action])(),
  ])
  return [
    [random.between(200, 4_000), first],
    ...between,
    ...(random.chance(0.7) ? [[someMs(random), pay()] as const] : []),
  ]
}

/** Adds changes of some charges after their first issue. The other steps keep their times. */
export const changeCharges = (plan: ReadonlyArray<Step>, random: SeededRandom): ReadonlyArray<Step> => {
  let at = 0
  const timed = plan.map((step) => ({ at: (at += step.afterMs), step }))
  const seen = new Set<number>()
  const added = timed.flatMap(({ at: issuedAt, step: { action } }) => {
    if (action.do !== "issue" || seen.has(action.charge)) return []
    seen.add(action.charge)
    if (random.chance(0.6)) return []
    let then = issuedAt
    return changeOne(action.charge, random).map(([afterMs, one]) => ({
      at: (then += afterMs),
      step: { afterMs: 0, host: random.between(0, 1), action: one },
    }))
  })
  const all = [...timed, ...added].toSorted((a, b) => a.at - b.at)
  return all.map(({ at: time, step }, index) => ({ ...step, afterMs: time - (all[index - 1]?.at ?? 0) }))
}

type Plan = ReadonlyArray<Step>

/** Above the numbers of a plan's other charges. */
const firstMany = 0x100

/** Pairs of companies that share an account. */
const sharing = [
  [0, 1],
  [2, 3],
  [3, 4],
] as const

/** Inserts a step before the step at position `at`. The other steps keep their times. */
const insert = (plan: Plan, at: number, random: SeededRandom, action: Action, host = 0): Plan => {
  const next = plan[at]
  if (next === undefined) return plan
  const afterMs = random.between(0, next.afterMs)
  return plan.toSpliced(at, 1, { host, action, afterMs }, { ...next, afterMs: next.afterMs - afterMs })
}

/** Companies register other fees while they sell. */
export const changeFees = (plan: Plan, random: SeededRandom): Plan => {
  let changed = plan
  for (let revision = random.between(1, 4); revision > 0; revision--) {
    const company = random.between(0, companies.length - 1)
    const at = random.between(2, changed.length - 1)
    changed = insert(changed, at, random, { do: "registerFees", company, revision })
  }
  return changed
}

/** Two companies of one account register each other's key, and usually their own key again later. Some do so twice. */
export const moveKeys = (plan: Plan, random: SeededRandom): Plan => {
  let moved = plan
  for (let left = random.between(1, 2); left > 0; left--) {
    const [company, other] = random.pick<readonly [number, number]>(sharing)
    const swap = { do: "swapKeys", company, other } as const
    const from = random.between(2, moved.length - 1)
    moved = insert(moved, from, random, swap)
    if (random.chance(0.75)) moved = insert(moved, random.between(from + 1, moved.length - 1), random, swap)
  }
  return moved
}

/** Issues many charges at once while processes die, and all of them again. */
export const issueMany = (plan: Plan, random: SeededRandom): Plan => {
  const from = firstMany + random.between(0, companies.length - 1)
  const action: Action = { do: "issueMany", from, to: from + companies.length * random.between(2, 9) }
  const at = random.between(2, plan.length - 1)
  const host = random.between(0, 1)
  const begun = insert(plan, at, random, action, host)
  const killed = random.chance(0.3) ? begun : insert(begun, at + 1, random, { do: "kill" }, host)
  return killed.toSpliced(-1, 0, { afterMs: random.between(1_000, 60_000), host, action })
}

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
