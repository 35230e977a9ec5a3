import type { PlainException } from "@pixcharge/embed"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import type { ChargePlay } from "../src/index.ts"
import { testPix, type TestPix, type TestPixOptions } from "../src/index.ts"

const fine = { fine: { kind: "percent", basisPoints: 200 } } as const

const openPix = (company: TestPixOptions["company"] = {}) => testPix({ company: { fees: fine, ...company } })

const issue = async (pix: TestPix, dueDate?: string, amountCents = 10_000): Promise<string> =>
  (await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents, ...(dueDate && { dueDate }) })).id

const listExceptions = async (pix: TestPix) => {
  const open: Array<PlainException> = []
  for await (const exception of pix.exceptions.list(pix.company.cnpj)) open.push(exception)
  return open
}

it("pay pays the amount due, and delivers the event", async () => {
  await using pix = openPix()
  const id = await issue(pix)
  expect(await pix.pay(id)).toMatchObject({ status: "paid", payment: { amountCents: 10_000, late: false } })
  expect(pix.delivered).toMatchObject([{ kind: "paid", payment: { chargeId: id, amountCents: 10_000 } }])
})

it.each([1_991, 1_992, 1_993, 1_994, 1_995])("pay pays an amount with any cents: %i", async (amountCents) => {
  await using pix = openPix()
  const id = await issue(pix, undefined, amountCents)
  expect(await pix.pay(id)).toMatchObject({ status: "paid", payment: { amountCents, late: false } })
  expect(await listExceptions(pix)).toEqual([])
})

it("payLate pays the given number of days after the due date, at noon, with the fine of that day", async () => {
  await using pix = openPix()
  const charge = await pix.payLate(await issue(pix, "2027-03-05"), { days: 3 })
  expect(charge).toMatchObject({
    status: "paid",
    payment: { paidAtIso: "2027-03-08T15:00:00.000Z", amountCents: 10_200, late: false, otherAmount: false },
  })
})

it("payLate counts from the business day to which weekends and the company's holidays move the due date", async () => {
  await using pix = openPix({ localHolidays: ["2027-03-08"] })
  const charge = await pix.payLate(await issue(pix, "2027-03-06"), { days: 1 })
  expect(charge).toMatchObject({ payment: { paidAtIso: "2027-03-10T15:00:00.000Z", amountCents: 10_200 } })
})

it("payLate pays even after the charge expired, and the payment settles the charge and is marked as late", async () => {
  await using pix = openPix()
  const [id, immediate] = [await issue(pix, "2027-03-05"), await issue(pix)]
  expect(await pix.payLate(immediate, { days: 1 })).toMatchObject({ status: "paid", payment: { late: true } })
  expect(await pix.payLate(id, { days: 30 })).toMatchObject({ status: "paid", payment: { late: true } })
  expect(pix.delivered).toHaveLength(2)
})

it("payLate pays now if the given day is today, and refuses a past day", async () => {
  await using pix = openPix()
  const [id, other] = [await issue(pix, "2027-03-01"), await issue(pix, "2027-03-01")]
  await pix.clock.advance("26 hours")
  expect(await pix.payLate(id, { days: 1 })).toMatchObject({ payment: { paidAt: pix.clock.now() } })
  await pix.clock.advance("1 day")
  await expect(pix.payLate(other, { days: 1 })).rejects.toThrow("the charge is more than 1 days late")
})

it.each([0, -1, 1.5, Number.NaN, undefined])("payLate refuses %s as the number of days", async (days) => {
  await using pix = openPix()
  const id = await issue(pix, "2027-03-05")
  await expect(pix.payLate(id, { days: days as number })).rejects.toThrow("a whole number from 1")
  await expect(pix.payLate(id, days as never)).rejects.toThrow(
    "payLate(id, { days }): days must be a whole number from 1",
  )
})

it("payTwice leaves the second payment as an exception, which can be refunded", async () => {
  await using pix = openPix()
  expect(await pix.payTwice(await issue(pix))).toMatchObject({ status: "paid" })
  const [exception] = await listExceptions(pix)
  expect(exception).toMatchObject({ reason: "furtherPayment", state: { _tag: "Open" } })
  const refunded = await pix.exceptions.refund(pix.company.cnpj, exception?.payment.endToEndId ?? "")
  expect(refunded.state._tag).toBe("Refunded")
  expect(pix.delivered).toHaveLength(1)
})

it("payTwice pays a paid charge again", async () => {
  await using pix = openPix()
  const id = await issue(pix)
  await pix.pay(id)
  await pix.payTwice(id)
  expect(await listExceptions(pix)).toHaveLength(1)
})

it.each([
  ["an immediate charge", {}, "2027-03-01T15:11:01.000Z"],
  ["a charge whose last day is a Saturday", { dueDate: "2027-03-08" }, "2027-03-16T03:01:00.999Z"],
])("expire delivers the event of %s, and changes nothing on a second call", async (_, terms, at) => {
  await using pix = testPix({ events: ["expired"] })
  const { id } = await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 10_000, ...terms })
  for (let time = 0; time < 2; time++) {
    expect(await pix.expire(id)).toMatchObject({ status: "expired" })
    expect(new Date(pix.clock.now()).toISOString()).toBe(at)
    expect(pix.delivered).toMatchObject([{ kind: "expired", charge: { chargeId: id } }])
  }
})

it("refundOutside returns the whole payment without a refund, and delivers the event", async () => {
  await using pix = openPix()
  const id = await issue(pix)
  await pix.pay(id)
  const charge = await pix.refundOutside(id)
  expect(charge).toMatchObject({ status: "refunded", returns: [{ kind: "outside", amountCents: 10_000 }] })
  expect(charge).not.toHaveProperty("refund")
  expect(pix.delivered.map(({ kind }) => kind)).toEqual(["paid", "refunded"])
})

it("refundOutside returns parts until the charge is refunded", async () => {
  await using pix = openPix()
  const id = await issue(pix)
  await pix.pay(id)
  expect(await pix.refundOutside(id, { amountCents: 4_000 })).toMatchObject({ status: "paid" })
  await expect(pix.refund(pix.company.cnpj, id)).rejects.toMatchObject({ _tag: "ChargePartlyReturned" })
  await expect(pix.refundOutside(id, { amountCents: 6_001 })).rejects.toThrow("from 1 to 6000 centavos")
  expect(await pix.refundOutside(id)).toMatchObject({ status: "refunded" })
})

it("refundOutside returns a payment that the host confirmed by a notice", async () => {
  await using pix = openPix()
  const id = await issue(pix)
  const { txid } = await pix.find(pix.company.cnpj, id)
  const notice = { issuer: pix.company.cnpj, txid, amountCents: 10_000, paidAt: pix.clock.now() }
  await pix.confirmPayment({ ...notice, endToEndId: "E1".padEnd(32, "0") })
  expect(await pix.refundOutside(id)).toMatchObject({ status: "refunded" })
})

const plays: ReadonlyArray<readonly [keyof ChargePlay, (pix: TestPix, id: string) => Promise<unknown>]> = [
  ["pay", (pix, id) => pix.pay(id)],
  ["payLate", (pix, id) => pix.payLate(id, { days: 1 })],
  ["payTwice", (pix, id) => pix.payTwice(id)],
  ["expire", (pix, id) => pix.expire(id)],
  ["refundOutside", (pix, id) => pix.refundOutside(id)],
]

it.each(plays)("%s refuses an unknown charge", async (_, play) => {
  await using pix = openPix()
  await expect(play(pix, randomUUID())).rejects.toMatchObject({ _tag: "ChargeNotFound" })
  await expect(play(pix, "order 17")).rejects.toMatchObject({ _tag: "InvalidChargeId" })
})

const stepsToStatus: Readonly<Record<string, (pix: TestPix, id: string) => Promise<unknown>>> = {
  pending: async () => undefined,
  expired: (pix, id) => pix.expire(id),
  cancelled: (pix, id) => pix.cancel(pix.company.cnpj, id),
  paid: (pix, id) => pix.pay(id),
  refunded: async (pix, id) => {
    await pix.pay(id)
    await pix.refund(pix.company.cnpj, id)
  },
}

it.each<readonly [keyof ChargePlay, string, string]>([
  ["pay", "paid", "payTwice(id) pays it once more"],
  ["pay", "expired", "payLate(id, { days })"],
  ["pay", "cancelled", "it can't be paid"],
  ["pay", "refunded", "it can't be paid"],
  ["payLate", "paid", "payTwice(id) pays it once more"],
  ["payLate", "cancelled", "it can't be paid"],
  ["payTwice", "expired", "payLate(id, { days })"],
  ["payTwice", "cancelled", "it can't be paid"],
  ["payTwice", "refunded", "it can't be paid"],
  ["expire", "paid", "only an unpaid charge expires"],
  ["expire", "cancelled", "only an unpaid charge expires"],
  ["refundOutside", "pending", "pay(id) pays it first"],
  ["refundOutside", "expired", "payLate(id, { days }) pays it first"],
  ["refundOutside", "cancelled", "it was never paid"],
  ["refundOutside", "refunded", "its money was already returned"],
])("%s refuses a charge that is %s, and names the right call: %s", async (name, status, advice) => {
  await using pix = openPix()
  const id = await issue(pix)
  await stepsToStatus[status]?.(pix, id)
  const play = plays.find(([of]) => of === name)?.[1]
  await expect(play?.(pix, id)).rejects.toThrow(`${name}: charge ${id} is ${status}; `)
  await expect(play?.(pix, id)).rejects.toThrow(advice)
})
