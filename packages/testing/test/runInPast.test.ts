import { randomUUID } from "node:crypto"
import { testPix } from "../src/index.ts"
import { expect, it } from "vitest"

const day = 86_400_000

it("dates changes in the past, and then returns to the present", async () => {
  await using pix = testPix()
  const { cnpj } = pix.company
  const present = pix.clock.now()
  const begin = present - 30 * day
  const [first, second] = await pix.clock.runInPast(begin, async (moveTo) => {
    const paid = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1_990 })
    const unpaid = await pix.issue(cnpj, { id: randomUUID(), amountCents: 500 })
    await moveTo(begin + 60_000)
    await pix.simulatePayment(cnpj, paid.id)
    await moveTo(begin + 3 * day)
    await pix.refund(cnpj, paid.id)
    expect(pix.clock.now()).toBe(begin + 3 * day)
    return [paid, unpaid]
  })
  expect(pix.clock.now()).toBe(present)
  expect(await pix.find(cnpj, first!.id)).toMatchObject({
    status: "refunded",
    createdAt: begin,
    payment: { paidAt: begin + 60_000, recordedAt: begin + 60_000 },
    refundedAt: begin + 3 * day,
  })
  expect((await pix.find(cnpj, second!.id)).status).toBe("expired")
  expect(pix.delivered.map(({ kind, occurredAt }) => [kind, occurredAt])).toEqual([
    ["paid", begin + 60_000],
    ["refunded", begin + 3 * day],
  ])
})

it("finds a payment whose notice was lost as time moves on in the past", async () => {
  await using pix = testPix()
  const { cnpj } = pix.company
  const begin = pix.clock.now() - day
  await pix.clock.runInPast(begin, async (moveTo) => {
    const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1_990 })
    await pix.simulatePayment(cnpj, id, { outcome: "noticeLost" })
    expect((await pix.find(cnpj, id)).status).toBe("pending")
    await moveTo(begin + day / 2)
    expect(await pix.find(cnpj, id)).toMatchObject({ status: "paid", payment: { paidAt: begin } })
  })
})

it("returns to the present and rejects with the error when the work fails", async () => {
  await using pix = testPix()
  const present = pix.clock.now()
  const failing = pix.clock.runInPast(present - day, () => Promise.reject(new Error("no more to do")))
  await expect(failing).rejects.toThrow("no more to do")
  expect(pix.clock.now()).toBe(present)
})

it("refuses an invalid time with a message", async () => {
  await using pix = testPix()
  const now = pix.clock.now()
  const nothing = async () => undefined
  for (const to of [now + 1, 0.5, Number.NaN, "yesterday" as unknown as number]) {
    await expect(pix.clock.runInPast(to, nothing)).rejects.toMatchObject({ _tag: "InvalidOption" })
  }
  await pix.clock.runInPast(now - day, async (moveTo) => {
    await expect(pix.clock.runInPast(now - day, nothing)).rejects.toMatchObject({ _tag: "InvalidOption" })
    await expect(moveTo(now - 2 * day)).rejects.toMatchObject({ _tag: "InvalidOption" })
    await expect(moveTo(now + 1)).rejects.toMatchObject({ _tag: "InvalidOption" })
    expect(pix.clock.now()).toBe(now - day)
  })
})
