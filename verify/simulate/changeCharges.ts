import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import type { Action, Step } from "./Action.ts"
import { changedCents, chargeAmount, type Timed, usualDueIn } from "./actionKinds.ts"

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
