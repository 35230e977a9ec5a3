import { testPix, testReceiver } from "@pixcharge/testing"
import { randomUUID } from "node:crypto"

const receiver = await testReceiver({ afterEach, afterAll })
const fees = { fine: { kind: "percent", basisPoints: 200 } }
const pix = testPix({ company: { fees, callback: receiver.callback }, afterEach, afterAll })

const issue = async (dueDate) =>
  (await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 10_000, ...(dueDate && { dueDate }) })).id

test("three days late, paid with fine", async () => {
  await pix.payLate(await issue("2027-03-05"), { days: 3 })
  expect(pix.delivered).toMatchObject([{ kind: "paid", payment: { amountCents: 10_200 } }])
  expect(receiver.received).toMatchObject([{ kind: "paid", payment: { amountCents: 10_200 } }])
})

test("fake timers of the runner hold nothing", async () => {
  const runner = globalThis.vi ?? import.meta.jest
  runner.useFakeTimers()
  await pix.pay(await issue())
  await pix.clock.advance("1 day")
  runner.useRealTimers()
  expect(pix.delivered).toMatchObject([{ kind: "paid" }])
})

test("the event of another test is forgotten", async () => {
  expect([pix.delivered, receiver.received]).toEqual([[], []])
  const id = await issue()
  await pix.pay(id)
  await pix.refundOutside(id)
  expect(pix.delivered.map(({ kind }) => kind)).toEqual(["paid", "refunded"])
})
