import { testPix, testReceiver } from "@pixcharge/testing"
import { randomUUID } from "node:crypto"

const receiver = await testReceiver({ afterEach, afterAll })
const fees = { fine: { kind: "percent", basisPoints: 200 } }
const pix = testPix({ company: { fees, callback: receiver.callback }, afterEach, afterAll })

const issue = async (dueDate) =>
  (await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 10_000, ...(dueDate && { dueDate }) })).id

test("a charge that is three days late is paid with its fine", async () => {
  await pix.payLate(await issue("2027-03-05"), { days: 3 })
  expect(pix.delivered).toMatchObject([{ kind: "paid", payment: { amountCents: 10_200 } }])
  expect(receiver.received).toMatchObject([{ kind: "paid", payment: { amountCents: 10_200 } }])
})

test("the runner's fake timers don't stop a payment", async () => {
  const runner = globalThis.vi ?? import.meta.jest
  runner.useFakeTimers()
  await pix.pay(await issue())
  await pix.clock.advance("1 day")
  runner.useRealTimers()
  expect(pix.delivered).toMatchObject([{ kind: "paid" }])
})

test("a test doesn't see the events of an earlier test", async () => {
  expect([pix.delivered, receiver.received]).toEqual([[], []])
  const id = await issue()
  await pix.pay(id)
  await pix.refundOutside(id)
  expect(pix.delivered.map(({ kind }) => kind)).toEqual(["paid", "refunded"])
})
