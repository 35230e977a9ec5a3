import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { createPix, type FactKind, type PlainEvent } from "../src/index.ts"

const shop = "12345678000195"

const start = (events?: ReadonlyArray<FactKind>) => {
  const received: Array<PlainEvent> = []
  const pix = createPix({
    environment: "sandbox",
    store: memoryStore(),
    companies: [{ cnpj: shop, name: "Loja", city: "Recife", pixKey: "loja@example.com" }],
    processor: sandboxProcessor(),
    onEvent: (event) => void received.push(event),
    background: false,
    frozenAt: Date.UTC(2026, 11, 1, 15),
    ...(events && { events }),
  })
  const wait = async (seconds: number) => {
    await pix.clock.advance(seconds * 1_000)
    for (let more = true; more;) ({ more } = await pix.tick({ deadlineMs: 60_000 }))
  }
  return { pix, received, wait }
}

const live = async (events?: ReadonlyArray<FactKind>) => {
  const { pix, received, wait } = start(events)
  const [unpaid, cancelled, paid] = await Promise.all(
    [1, 2, 3].map((amountCents) => pix.issue(shop, { id: randomUUID(), amountCents: amountCents * 100 })),
  )
  await pix.cancel(shop, cancelled?.id ?? "")
  await pix.simulatePayment(shop, paid?.id ?? "")
  await pix.refundPart(shop, paid?.id ?? "", { key: "item-1", amountCents: 100 })
  await wait(600)
  await wait(62)
  await pix.simulatePayment(shop, unpaid?.id ?? "").catch(() => undefined)
  await wait(5)
  await pix.refundPart(shop, paid?.id ?? "", { key: "item-2", amountCents: 200 })
  await wait(5)
  await pix[Symbol.asyncDispose]()
  const names = new Map(
    [unpaid, cancelled, paid].map((charge, index) => [charge?.id, ["unpaid", "cancelled", "paid"][index]]),
  )
  return received.map((event) => {
    const id = "charge" in event ? event.charge?.chargeId : event.payment?.chargeId
    return `${names.get(id)} ${event.kind}`
  })
}

it("an instance publishes what ends only if it chooses so, each fact once and in the order of its charge", async () => {
  expect((await live()).filter((line) => line.startsWith("paid"))).toEqual(["paid paid", "paid refunded"])
  const lines = await live(["paid", "refunded", "part-refunded", "expired", "cancelled"])
  expect(lines.filter((line) => line.startsWith("paid"))).toEqual([
    "paid paid",
    "paid part-refunded",
    "paid part-refunded",
    "paid refunded",
  ])
  expect(lines.filter((line) => line.startsWith("cancelled"))).toEqual(["cancelled cancelled"])
  expect(lines.find((line) => line.startsWith("unpaid"))).toBe("unpaid expired")
  expect(await live(["cancelled"])).toEqual(["cancelled cancelled"])
})

it("createPix refuses a kind that can't be chosen", () => {
  for (const kind of ["test", "pix.pago", "unpaid"])
    expect(() => start([kind as FactKind])).toThrow(/the option "events"/)
})

it("the host's function is shown with the published kinds", async () => {
  const kinds = async (events?: ReadonlyArray<FactKind>) => {
    const { pix } = start(events)
    const [host] = await pix.events.endpoints(shop)
    await pix.dispose()
    return host?.kinds
  }
  expect(await kinds(["expired", "paid"])).toEqual(["expired", "paid"])
  expect(await kinds()).not.toContain("expired")
  expect(await kinds()).toContain("payment-failed")
})
