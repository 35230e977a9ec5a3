import { randomUUID } from "node:crypto"
import { testPix } from "../src/index.ts"
import { describe, expect, it } from "vitest"

const openCharge = async (amountCents = 1_991) => {
  const pix = testPix()
  const { cnpj } = pix.company
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents })
  const play = (how: Parameters<typeof pix.simulatePayment>[2]) => pix.simulatePayment(cnpj, id, how)
  const exceptions = async () => {
    const found = []
    for await (const { payment } of pix.exceptions.list(cnpj)) found.push(payment.amountCents)
    return found.toSorted((a, b) => a - b)
  }
  return { pix, cnpj, id, play, exceptions }
}

describe("a play", () => {
  it("pays the amount due, with any cents", async () => {
    const { pix, cnpj, id, play } = await openCharge()
    await expect(pix.simulatePayment(cnpj, id)).rejects.toMatchObject({ _tag: "SimulationDeclined" })
    expect(await play({})).toMatchObject({ status: "paid", payment: { amountCents: 1_991, late: false } })
    expect(pix.delivered).toHaveLength(1)
  })

  it("pays any amount", async () => {
    const { play } = await openCharge()
    expect(await play({ amountCents: 700 })).toMatchObject({ payment: { amountCents: 700, otherAmount: true } })
  })

  it("declines without a payment", async () => {
    const { pix, cnpj, id, play } = await openCharge(1_000)
    await expect(play({ outcome: "declined" })).rejects.toMatchObject({ _tag: "SimulationDeclined" })
    expect((await pix.find(cnpj, id)).status).toBe("pending")
  })

  it("times out, and the payment is found later", async () => {
    const { pix, cnpj, id, play } = await openCharge(1_000)
    await expect(play({ outcome: "timesOut" })).rejects.toMatchObject({ _tag: "ProcessorUnavailable" })
    await pix.runDueWork()
    expect((await pix.find(cnpj, id)).status).toBe("paid")
  })

  it("loses the notice, and the payment is found once the clock moves on", async () => {
    const { pix, cnpj, id, play } = await openCharge(1_000)
    expect((await play({ outcome: "noticeLost" })).status).toBe("pending")
    await pix.clock.advance("1 hour")
    expect((await pix.find(cnpj, id)).status).toBe("paid")
  })

  it("pays twice, or late", async () => {
    const twice = await openCharge(1_000)
    expect((await twice.play({ outcome: "paidTwice" })).status).toBe("paid")
    expect(await twice.exceptions()).toEqual([1_000])
    const late = await openCharge(1_000)
    expect(await late.play({ outcome: "paidLate" })).toMatchObject({ status: "paid", payment: { late: true } })
  })

  it("makes a new payment on each call, even for a paid charge", async () => {
    const { play, exceptions } = await openCharge(1_000)
    await play({})
    expect(await play({ amountCents: 300 })).toMatchObject({ status: "paid", payment: { amountCents: 1_000 } })
    await play({})
    expect(await exceptions()).toEqual([300, 1_000])
  })

  it("pays an expired charge as a late payment", async () => {
    const { pix, cnpj, id, play } = await openCharge(1_000)
    await pix.expire(id)
    await expect(pix.simulatePayment(cnpj, id)).rejects.toMatchObject({ _tag: "ChargeExpired" })
    expect(await play({})).toMatchObject({ status: "paid", payment: { late: true, amountCents: 1_000 } })
  })

  it("rejects if the charge was cancelled or refunded", async () => {
    const cancelled = await openCharge(1_000)
    await cancelled.pix.cancel(cancelled.cnpj, cancelled.id)
    await expect(cancelled.play({})).rejects.toMatchObject({ _tag: "ChargeCancelled" })
    const refunded = await openCharge(1_000)
    await refunded.play({})
    await refunded.pix.refund(refunded.cnpj, refunded.id)
    await expect(refunded.play({})).rejects.toMatchObject({ _tag: "ChargeRefunded" })
  })
})
