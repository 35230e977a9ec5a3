import { testPix, testReceiver } from "@pixcharge/testing"
import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { test } from "node:test"

// Nobody disposes of these: `node --test` waits for a process to end by itself.
test("what nobody disposes of lets the process end", async () => {
  const receiver = await testReceiver()
  const pix = testPix({ company: { callback: receiver.callback } })
  const { id } = await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 1_990 })
  await pix.pay(id)
  assert.equal(receiver.received.length, 1)
})
