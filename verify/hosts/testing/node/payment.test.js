import { testPix, testReceiver } from "@pixcharge/testing"
import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { after, afterEach, mock, test } from "node:test"

const receiver = await testReceiver({ afterEach, afterAll: after })
const fees = { fine: { kind: "percent", basisPoints: 200 } }
const pix = testPix({ company: { fees, callback: receiver.callback }, afterEach, afterAll: after })

const issue = async (dueDate) =>
  (await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 10_000, ...(dueDate && { dueDate }) })).id

const amounts = (events) => events.map(({ payment }) => payment.amountCents)

test("a charge that is three days late is paid with its fine", async () => {
  await pix.payLate(await issue("2027-03-05"), { days: 3 })
  assert.deepEqual([amounts(pix.delivered), amounts(receiver.received)], [[10_200], [10_200]])
})

test("the runner's fake timers don't stop a payment", async () => {
  mock.timers.enable()
  await pix.pay(await issue())
  await pix.clock.advance("1 day")
  mock.timers.reset()
  assert.deepEqual(
    pix.delivered.map(({ kind }) => kind),
    ["paid"],
  )
})

test("a test doesn't see the events of an earlier test", async () => {
  assert.deepEqual([pix.delivered, receiver.received], [[], []])
  const id = await issue()
  await pix.pay(id)
  await pix.refundOutside(id)
  assert.deepEqual(
    pix.delivered.map(({ kind }) => kind),
    ["paid", "refunded"],
  )
})
