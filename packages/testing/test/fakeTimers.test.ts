import { randomUUID } from "node:crypto"
import { afterEach, expect, it, vi } from "vitest"
import { testPix } from "../src/index.ts"

afterEach(() => {
  vi.useRealTimers()
})

it.each(["before", "after"])("pays under fake timers that are installed %s testPix is called", async (when) => {
  if (when === "before") vi.useFakeTimers()
  const pix = testPix()
  vi.useFakeTimers()
  const { id } = await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 1_990 })
  await pix.pay(id)
  await pix.clock.advance("1 day")
  expect(pix.delivered).toMatchObject([{ kind: "paid", payment: { chargeId: id } }])
  const unknown = await pix.fetch(new Request("https://shop.example/api/pix/none"))
  expect(unknown.status).toBe(401)
  await pix.dispose()
  expect(vi.getTimerCount()).toBe(0)
})
