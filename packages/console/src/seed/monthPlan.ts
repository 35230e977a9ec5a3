import type { PlayOutcome } from "@pixcharge/core"
import { addDays, brasiliaDate, startOfBrasiliaDay } from "@pixcharge/core/calendar"
import type { ChargeRequestInput } from "@pixcharge/core/charges"
import { hash } from "node:crypto"

const minute = 60_000
const hour = 60 * minute
const dayMs = 24 * hour
const days = 30

export type Step = { readonly at: number; readonly id: string } & (
  | { readonly kind: "issue"; readonly request: ChargeRequestInput; readonly isRefused: boolean }
  | { readonly kind: "pay"; readonly outcome: PlayOutcome; readonly amountCents?: number }
  | { readonly kind: "refund" | "cancel" }
  | { readonly kind: "change"; readonly amountCents: number }
  | { readonly kind: "refundPart"; readonly amountCents: number }
)

/** The weights of the hours of a shop's day in Brasília. */
const hours = [1, 0, 0, 0, 0, 0, 1, 2, 5, 8, 10, 11, 9, 8, 8, 9, 9, 9, 10, 11, 10, 8, 5, 2].map(
  (weight, index) => [weight, index] as const,
)

const amounts: ReadonlyArray<readonly [number, readonly [from: number, to: number]]> = [
  [8, [990, 4_990]],
  [10, [5_000, 14_990]],
  [5, [15_000, 49_900]],
  [1, [50_000, 299_900]],
]

const payers = [
  ["Ana Beatriz Souza", "52998224725"],
  ["Pedro Carvalho", "11144477735"],
  ["Helena Lima", "12345678909"],
  ["Marcos Teixeira", "93541134780"],
] as const

type Fate =
  | "paid"
  | "expired"
  | "late"
  | "cancelled"
  | "refunded"
  | "partly"
  | "twice"
  | "lost"
  | "other"
  | "refused"
  | "changed"

const immediateFates: ReadonlyArray<readonly [number, Fate]> = [
  [72, "paid"],
  [14, "expired"],
  [3, "cancelled"],
  [3, "refunded"],
  [2, "partly"],
  [2, "twice"],
  [2, "lost"],
  [1, "other"],
  [1, "late"],
]

const dueFates: ReadonlyArray<readonly [number, Fate]> = [
  [54, "paid"],
  [6, "changed"],
  [18, "late"],
  [12, "expired"],
  [4, "cancelled"],
  [3, "refunded"],
  [3, "partly"],
]

const roundAmount = (random: Random): number => {
  const [from, to] = random.pick(amounts)
  return (
    Math.round(random.between(from, to) / 100) * 100 -
    random.pick([
      [5, 10],
      [3, 1],
      [4, 0],
      [1, random.between(2, 60)],
    ])
  )
}

interface PlannedCharge {
  readonly id: string
  readonly amountCents: number
  readonly fate: Fate
}

const afterwards = ({ id, amountCents, fate }: PlannedCharge, at: number, random: Random): ReadonlyArray<Step> => {
  const later = at + random.between(2, 60) * hour
  if (fate === "refunded") return [{ at: later, id, kind: "refund" }]
  return fate === "partly" ? [{ at: later, id, kind: "refundPart", amountCents: Math.ceil(amountCents / 3) }] : []
}

const payments = ({ id, amountCents, fate }: PlannedCharge, at: number): ReadonlyArray<Step> => {
  if (fate === "twice") return [{ at, id, kind: "pay", outcome: "paidTwice" }]
  if (fate === "lost") return [{ at, id, kind: "pay", outcome: "noticeLost" }]
  if (fate === "other") return [{ at, id, kind: "pay", outcome: "approved", amountCents: amountCents - 100 }]
  return [{ at, id, kind: "pay", outcome: "approved" }]
}

const immediate = (at: number, fate: Fate, random: Random): ReadonlyArray<Step> => {
  const id = random.uuid()
  const amountCents = roundAmount(random)
  const minutes = random.pick([
    [5, 10],
    [3, 30],
    [2, 24 * 60],
  ])
  const request = { id, amountCents, payableForSeconds: minutes * 60 }
  const issue: Step = { at, id, kind: "issue", request, isRefused: fate === "refused" }
  const paidAt = at + Math.min(Math.round(20_000 + 100_000 * -Math.log(1 - random.next())), minutes * minute - 5_000)
  if (fate === "expired") return [issue]
  if (fate === "cancelled") return [issue, { at: at + 3 * minute, id, kind: "cancel" }]
  const pays = fate === "late" ? at + minutes * minute + random.between(1, 50) * minute : paidAt
  const charge = { id, amountCents, fate }
  return [issue, ...payments(charge, pays), ...afterwards(charge, pays, random)]
}

const withDueDate = (at: number, fate: Fate, random: Random): ReadonlyArray<Step> => {
  const id = random.uuid()
  const amountCents = roundAmount(random) + 5_000
  const [name, taxId] = random.pick(payers.map((payer) => [1, payer] as const))
  const dueInDays = random.between(2, 9)
  const dueDate = addDays(brasiliaDate(at), dueInDays)
  const order = random.between(1_000, 9_999)
  const request = {
    id,
    amountCents,
    dueDate,
    payer: { name, taxId },
    messageToPayer: `Pedido ${order}`,
    reference: `pedido-${order}`,
  }
  const issue: Step = { at, id, kind: "issue", request, isRefused: false }
  if (fate === "expired") return [issue]
  if (fate === "cancelled") return [issue, { at: at + dayMs, id, kind: "cancel" }]
  const dueAt = startOfBrasiliaDay(dueDate)
  const early = at + Math.round(random.next() * (dueAt + 20 * hour - at))
  const pays = fate === "late" ? dueAt + random.between(1, 4) * dayMs + random.between(8, 20) * hour : early
  const charge = { id, amountCents, fate }
  const rebate: Step = { at: Math.floor((at + early) / 2), id, kind: "change", amountCents: amountCents - 500 }
  return [
    issue,
    ...(fate === "changed" ? [rebate] : []),
    ...payments(charge, pays),
    ...afterwards(charge, pays, random),
  ]
}

/** The last thirty days, in order. Equal seeds on the same day give equal steps. */
export const monthPlan = (seed: string, now: number): ReadonlyArray<Step> => {
  const today = brasiliaDate(now)
  const random = randomFrom(`${seed}/${today}`)
  const steps: Array<Step> = []
  for (let day = -days; day <= 0; day++) {
    const date = addDays(today, day)
    const midnight = startOfBrasiliaDay(date)
    const isSunday = new Date(midnight).getUTCDay() === 0
    for (let left = random.between(isSunday ? 2 : 5, isSunday ? 5 : 11); left > 0; left--) {
      const at = midnight + random.pick(hours) * hour + random.between(0, 3_599) * 1_000
      const isDue = random.next() < 0.2
      steps.push(
        ...(isDue
          ? withDueDate(at, random.pick(dueFates), random)
          : immediate(at, random.pick(immediateFates), random)),
      )
    }
    // On these days, the receiver refuses the event of a paid charge.
    if (day === -22 || day === -15 || day === -9) steps.push(...immediate(midnight + 15 * hour, "refused", random))
  }
  return steps.filter(({ at }) => at < now).toSorted((a, b) => a.at - b.at)
}

export interface Random {
  /** A number from 0 to below 1. */
  readonly next: () => number
  /** A whole number from `from` to `to`, including both. */
  readonly between: (from: number, to: number) => number
  /** A random item. Its weight is its relative probability. */
  readonly pick: <A>(items: ReadonlyArray<readonly [weight: number, item: A]>) => A
  readonly uuid: () => string
}

/** `hex` has 32 digits or more. */
export const toUuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`

const randomFrom = (seed: string): Random => {
  let count = 0
  const digest = (): string => hash("sha256", `${seed}/${count++}`)
  const next = (): number => Number.parseInt(digest().slice(0, 13), 16) / 2 ** 52
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: <A>(items: ReadonlyArray<readonly [weight: number, item: A]>): A => {
      let left = next() * items.reduce((sum, [weight]) => sum + weight, 0)
      const found = items.find(([weight]) => (left -= weight) < 0) ?? items.at(-1)
      if (found === undefined) throw new RangeError("expected at least one item")
      return found[1]
    },
    uuid: () => toUuid(digest()),
  }
}
