import { companyHolidays } from "@pixcharge/core"
import { addDays, brasiliaDate, type Holidays, nextBusinessDay, startOfBrasiliaDay } from "@pixcharge/core/calendar"
import type { Company } from "@pixcharge/core/party"
import { type Charge, type PaidCharge, promisedHolidays, returnedCents } from "@pixcharge/core/charges"
import { payableAtBankUntil, unknownField } from "@pixcharge/core/internal"
import type { Cents } from "@pixcharge/core/money"
import type { ChargeStatus, PlainCharge, SandboxPix } from "@pixcharge/embed"
import type { SandboxBank } from "@pixcharge/processor-sandbox"
import type { ChargePlay, Lateness, OutsideReturn } from "./ChargePlay.ts"

const dayMs = 86_400_000

/** A later look-up proves that the charge expired unpaid. */
const lookUpAfterMs = 61_000

export interface PlayWorld {
  readonly pix: SandboxPix
  readonly bank: SandboxBank
  readonly company: Company
  readonly holidays?: (company: Company) => Holidays
  readonly runDueWork: () => Promise<void>
}

const misfits: Readonly<Record<keyof ChargePlay, Partial<Record<ChargeStatus, string>>>> = {
  pay: {
    paid: "payTwice(id) pays it once more",
    expired: "payLate(id, { days }) pays it late",
    cancelled: "it can't be paid",
    refunding: "it can't be paid",
    refunded: "it can't be paid",
  },
  payLate: {
    paid: "payTwice(id) pays it once more",
    cancelled: "it can't be paid",
    refunding: "it can't be paid",
    refunded: "it can't be paid",
  },
  payTwice: {
    expired: "payLate(id, { days }) pays it once, and then payTwice(id) once more",
    cancelled: "it can't be paid",
    refunding: "it can't be paid",
    refunded: "it can't be paid",
  },
  expire: {
    paid: "only an unpaid charge expires",
    cancelled: "only an unpaid charge expires",
    refunding: "only an unpaid charge expires",
    refunded: "only an unpaid charge expires",
  },
  refundOutside: {
    pending: "pay(id) pays it first",
    expired: "payLate(id, { days }) pays it first",
    cancelled: "it was never paid",
    refunding: "its money is already being returned",
    refunded: "its money was already returned",
  },
}

const checkReturned = (returned: OutsideReturn | undefined): void => {
  const flaw = unknownField(returned, { amountCents: true })
  if (flaw !== undefined) throw new TypeError(`refundOutside(id, { amountCents }): ${flaw}`)
}

const readDays = (lateness: Lateness | undefined): number => {
  const days = lateness?.days ?? 0
  if (Number.isInteger(days) && days > 0) return days
  throw new TypeError("payLate(id, { days }): days must be a whole number from 1")
}

const lateMoment = (charge: Charge, days: number, holidays: Holidays): number => {
  const { dueDate, payableUntil } = charge
  if (dueDate === undefined) return payableUntil + days * dayMs
  const movedDueDate = nextBusinessDay(dueDate, promisedHolidays(charge, holidays))
  return startOfBrasiliaDay(addDays(movedDueDate, days)) + dayMs / 2
}

const moveTo = async (clock: SandboxPix["clock"], charge: Charge, days: number, at: number): Promise<void> => {
  const now = clock.now()
  const isThatDay = charge.dueDate !== undefined && brasiliaDate(now) === brasiliaDate(at)
  if (now > at && !isThatDay) {
    throw new RangeError(`payLate: it is ${new Date(now).toISOString()}, and the charge is more than ${days} days late`)
  }
  await clock.advance(Math.max(at - now, 0))
}

const returnOutside = async (
  { pix, bank, company }: PlayWorld,
  charge: PaidCharge,
  amountCents: number,
): Promise<void> => {
  const { paidAt } = charge.payment
  bank.returnMoney(charge, amountCents as Cents, pix.clock.now())
  await pix.reconcile(company.cnpj, { from: paidAt, until: paidAt + 1 })
}

export const makeChargePlay = (world: PlayWorld): ChargePlay => {
  const { pix, company, holidays = companyHolidays, runDueWork } = world

  const findFor = async (call: keyof ChargePlay, id: string): Promise<PlainCharge> => {
    const charge = await pix.find(company.cnpj, id)
    const misfit = misfits[call][charge.status]
    if (misfit !== undefined) throw new Error(`${call}: charge ${id} is ${charge.status}; ${misfit}`)
    return charge
  }

  const findSettled = async (id: string): Promise<PlainCharge> => {
    await runDueWork()
    return pix.find(company.cnpj, id)
  }

  const payNow = (id: string) => pix.simulatePayment(company.cnpj, id, {})

  return {
    pay: async (id) => {
      await findFor("pay", id)
      await payNow(id)
      return findSettled(id)
    },
    payLate: async (id, lateness) => {
      const charge = await findFor("payLate", id)
      const days = readDays(lateness)
      await moveTo(pix.clock, charge, days, lateMoment(charge, days, holidays(company)))
      await payNow(id)
      return findSettled(id)
    },
    payTwice: async (id) => {
      const charge = await findFor("payTwice", id)
      if (charge._tag === "Pending") await payNow(id)
      await payNow(id)
      return findSettled(id)
    },
    expire: async (id) => {
      const charge = await findFor("expire", id)
      const endsAt = charge.cycle === undefined ? payableAtBankUntil(charge) + lookUpAfterMs : charge.payableUntil + 1
      await pix.clock.advance(Math.max(endsAt - pix.clock.now(), 0))
      return findSettled(id)
    },
    refundOutside: async (id, returned) => {
      checkReturned(returned)
      const charge = (await findFor("refundOutside", id)) as PlainCharge<PaidCharge>
      const { amountCents, endToEndId } = charge.payment
      const rest = amountCents - returnedCents(endToEndId, charge.returns)
      await returnOutside(world, charge, returned?.amountCents ?? rest)
      return findSettled(id)
    },
  }
}
