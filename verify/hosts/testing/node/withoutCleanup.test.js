import { testPix, testReceiver } from "@pixcharge/testing"
import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { test } from "node:test"
import { setImmediate } from "node:timers/promises"

/** The open resources that could keep this process alive. */
const resources = () => process.getActiveResourcesInfo().filter((name) => /^(TCP|Timeout)/.test(name))

// The receiver and `pix` stay undisposed. `node --test` waits until the process ends by itself.
test("undisposed resources let the process end", async () => {
  const receiver = await testReceiver()
  const pix = testPix({ company: { callback: receiver.callback } })
  const { id } = await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 1_990 })
  await pix.pay(id)
  assert.equal(receiver.received.length, 1)
  await setImmediate()
  assert.deepEqual(resources(), [])
})
