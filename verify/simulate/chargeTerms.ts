import { addDays, brasiliaDate, type LocalDate } from "@pixcharge/core/calendar"
import type { ChargeChange, ChargeRequestInput } from "@pixcharge/core/charges"
import type { Fees } from "@pixcharge/core/money"
import { makeSeededRandom } from "@pixcharge/adapter-tests/fixtures"
import { changedCents, chargeAmount, usualDueIn } from "./actionKinds.ts"
import { sellsOnTerms } from "./conditions.ts"
import { chargeId } from "./names.ts"

export type Changed = Omit<ChargeChange, "key">
type OwnTerms = Pick<ChargeRequestInput, "fees" | "graceDays" | "payer">

const percent = (basisPoints: number) => ({ kind: "percent", basisPoints }) as const
const payer = { name: "Ana Souza", taxId: "52998224725" }
const address = { street: "Rua das Flores 10", city: "Recife", state: "PE", postalCode: "50000000" }

/** What due-date charges ask for. A discount's day can have passed, even when the charge is first requested. */
const asks: ReadonlyArray<(dueDate: LocalDate, today: LocalDate) => OwnTerms> = [
  () => ({}),
  () => ({ fees: "none", graceDays: 3, payer }),
  () => ({ fees: { fine: { kind: "fixed", amountCents: 250 }, interest: "none", discount: "none" } }),
  () => ({
    fees: {
      discount: {
        kind: "fixedUntil",
        tiers: [
          { daysBefore: 0, amountCents: 50 },
          { daysBefore: 1, amountCents: 90 },
          { daysBefore: 9, amountCents: 200 },
        ],
      },
    },
    payer: { ...payer, email: "ana@example.com", address },
  }),
  (dueDate, today) => ({
    fees: {
      discount: {
        kind: "percentUntil",
        tiers: [
          { date: dueDate, basisPoints: 200 },
          { date: today, basisPoints: 500 },
        ].slice(dueDate === today ? 1 : 0),
      },
    },
  }),
  () => ({
    fees: {
      fine: "none",
      interest: { kind: "percentPerMonth", days: "business", basisPoints: 100 },
      abatement: percent(150),
      discount: { kind: "fixedPerDayEarly", days: "business", amountCents: 3 },
    },
    graceDays: 2,
  }),
]

/** What companies register, one after another. */
const registrations: ReadonlyArray<{ readonly graceDays: number; readonly fees?: unknown }> = [
  { graceDays: 1 },
  {
    graceDays: 2,
    fees: { fine: percent(200), interest: { kind: "percentPerMonth", days: "calendar", basisPoints: 100 } },
  },
  {
    graceDays: 1,
    fees: {
      abatement: { kind: "fixed", amountCents: 20 },
      discount: {
        kind: "percentUntil",
        tiers: [
          { daysBefore: 30, basisPoints: 900 },
          { daysBefore: 0, basisPoints: 300 },
        ],
      },
    },
  },
]

export const registrationOf = (seed: number, company: number, revision: number) =>
  registrations[(seed + company + revision) % registrations.length] as {
    readonly graceDays: number
    readonly fees?: Fees
  }

/** A change's fields, beside its key. The same variant of a charge always changes the same. */
export const changeOf = (seed: number, charge: number, variant: number, startedAt: number): Changed => {
  const issued = requestOf(seed, charge, { amountCents: chargeAmount(charge), ...usualDueIn(charge) }, startedAt)
  const amountCents = changedCents(charge, variant)
  const later: Changed =
    issued.dueDate === undefined
      ? { payableForSeconds: [300, 1_800, 7_200, 90_000][variant % 4] }
      : { dueDate: addDays(brasiliaDate(startedAt), 1 + (variant % 4)) }
  const texts = { reference: `pedido ${variant}`, messageToPayer: `Pedido ${variant}` }
  const further: Changed = issued.dueDate === undefined ? texts : { graceDays: 1 + variant, fees: "none" }
  const variants = [{ amountCents }, later, { amountCents, ...later }, texts, further, { amountCents: 400, ...texts }]
  return variants[variant % variants.length] as Changed
}

/** The request of the n-th charge. Only `amountCents` can differ from one request to the next. */
export const requestOf = (
  seed: number,
  charge: number,
  { amountCents, dueInDays }: { readonly amountCents: number; readonly dueInDays?: number },
  startedAt: number,
): ChargeRequestInput => {
  const today = brasiliaDate(startedAt)
  const dueIn = dueInDays ?? (sellsOnTerms(seed) && charge % 2 === 0 ? (charge / 2) % 3 : undefined)
  const dueDate = dueIn === undefined ? undefined : addDays(today, dueIn)
  const random = makeSeededRandom(seed ^ (charge * 7_919))
  return {
    id: chargeId(charge),
    amountCents,
    ...(dueDate && { dueDate, ...random.pick(asks as readonly [(typeof asks)[number]])(dueDate, today) }),
    ...(random.chance(0.5) && { reference: `pedido ${charge % 3}` }),
    ...(random.chance(0.3) && { metadata: { canal: "loja", volume: String(charge) } }),
  }
}
