import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { testPix, testReceiver } from "../src/index.ts"

it("receives a callback with a valid signature over HTTP before the call that caused it returns", async () => {
  await using receiver = await testReceiver()
  await using pix = testPix({ company: { callback: receiver.callback } })
  const { id } = await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 1_990 })
  await pix.pay(id)
  await pix.refund(pix.company.cnpj, id)
  await pix.runDueWork()
  expect(receiver.received).toMatchObject([
    { kind: "paid", payment: { chargeId: id, amountCents: 1_990 } },
    { kind: "refunded", payment: { chargeId: id } },
  ])
})

it("receives a repeated event once", async () => {
  await using receiver = await testReceiver()
  await using pix = testPix({ company: { callback: receiver.callback } })
  const { id } = await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 1_990 })
  await pix.pay(id)
  expect(await pix.events.replay(pix.company.cnpj, { chargeId: id })).toBe(2)
  await pix.runDueWork()
  expect(receiver.received).toHaveLength(1)
})

it("answers 401 to an unsigned request, and doesn't list it as received", async () => {
  await using receiver = await testReceiver()
  const answer = await fetch(receiver.url, { method: "POST", body: "{}" })
  expect([answer.status, receiver.received]).toEqual([401, []])
})

it("doesn't send a callback to another machine, and records a failed attempt", async () => {
  const secrets = ["whsec_c2VncmVkby1kZS10ZXN0ZS1jb20tMzItYnl0ZXMtISE="]
  await using pix = testPix({ company: { callback: { url: "https://192.0.2.1/eventos", secrets } } })
  const { id } = await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 1_990 })
  await pix.pay(id)
  const [event] = pix.delivered
  const attempts = await pix.events.attempts(pix.company.cnpj, event?.id ?? "", `callback-${pix.company.cnpj}`)
  expect(attempts).toMatchObject([{ error: "tests send callbacks to 127.0.0.1 only" }])
})

it("forgets received events after each test, and closes after the last test, by hooks of the test runner", async () => {
  const hooks: Array<() => void | Promise<void>> = []
  const register = (hook: () => void | Promise<void>) => hooks.push(hook)
  const receiver = await testReceiver({ afterEach: register, afterAll: register })
  await using pix = testPix({ company: { callback: receiver.callback } })
  await pix.pay((await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 1 })).id)
  expect(receiver.received).toHaveLength(1)
  await hooks[0]?.()
  expect(receiver.received).toEqual([])
  await hooks[1]?.()
  await expect(fetch(receiver.url)).rejects.toThrow()
})
