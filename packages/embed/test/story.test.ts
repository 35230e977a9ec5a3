import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import type { PlainStoryEntry } from "../src/index.ts"
import { shop, started } from "./startedShop.ts"

type Pix = Awaited<ReturnType<typeof started>>

const listKinds = (entries: ReadonlyArray<PlainStoryEntry>) => entries.map(({ kind }) => kind)

const deliverAll = async (pix: Pix) => {
  while ((await pix.tick({ deadlineMs: 5_000 })).more);
}

describe("the story of a charge", () => {
  it("shows moves, payments, returns, events with attempts, and audit records, oldest first", async () => {
    await using pix = await started()
    const payer = { name: "Maria das Dores", taxId: "52998224725" }
    const { id, txid } = await pix.issue(shop, { id: randomUUID(), amountCents: 1_990, payer })
    expect(listKinds((await pix.story(shop, id)).entries)).toEqual(["issued"])
    await pix.clock.advance("1 minute")
    await pix.simulatePayment(shop, id)
    await deliverAll(pix)
    await pix.clock.advance("1 hour")
    const endToEndId = `E00000000202611221200${randomUUID().replaceAll("-", "").slice(0, 11)}`
    await pix.confirmPayment({ issuer: shop, endToEndId, txid, amountCents: 500, paidAt: pix.clock.now() })
    await pix.clock.advance("1 hour")
    await pix.by("ana").exceptions.resolve(shop, endToEndId, "combinado com o pagador")
    await pix.clock.advance("1 hour")
    await pix.by("ana").refundPart(shop, id, { key: "a", amountCents: 90 })
    await pix.clock.advance("1 hour")
    await pix.payers.erase(shop, payer.taxId)
    const { charge, entries, isCut } = await pix.story(shop, id)
    expect([charge.id, charge.status, charge.refundableCents, isCut]).toEqual([id, "paid", 1_900, false])
    const business = entries.filter(({ kind }) => kind !== "audit")
    expect(listKinds(business)).toEqual([
      "issued",
      "paid",
      "event",
      "attempt",
      "exception",
      "exceptionResolved",
      "partialRefund",
      "return",
      "payerErased",
    ])
    const moments = entries.map(({ at }) => at)
    expect(moments).toEqual(moments.toSorted((a, b) => a - b))
    expect(entries.map(({ atIso }) => Date.parse(atIso))).toEqual(moments)
    const records = entries.flatMap((entry) =>
      entry.kind === "audit" ? [[entry.record.by, entry.record.change.kind]] : [],
    )
    expect(records.toSorted()).toEqual([
      ["ana", "exceptionResolved"],
      ["ana", "partialRefundRequested"],
    ])
    // An audit record has nearly the time of its change, although the clock was moved: the changes are an hour apart.
    const atOf = (...kinds: ReadonlyArray<PlainStoryEntry["kind"]>) =>
      entries.filter(({ kind }) => kinds.includes(kind)).map(({ at }) => at)
    const changes = atOf("exceptionResolved", "partialRefund")
    expect(atOf("audit").map((at, place) => Math.abs(at - (changes[place] ?? 0)) < 60_000)).toEqual([true, true])
    const of = <K extends PlainStoryEntry["kind"]>(kind: K) =>
      entries.find((entry): entry is Extract<PlainStoryEntry, { kind: K }> => entry.kind === kind)
    expect(of("exception")?.exception).toMatchObject({
      status: "resolved",
      payment: { endToEndId, paidAtIso: expect.stringMatching(/T.*Z$/) },
    })
    expect(of("exceptionResolved")?.note).toBe("combinado com o pagador")
    expect(of("partialRefund")).toMatchObject({ status: "returned", partialRefund: { key: "a", amountCents: 90 } })
    expect(of("event")?.delivery).toMatchObject({ status: "delivered", endpointId: "host" })
    expect(of("attempt")?.endpointId).toBe("host")
    expect(JSON.stringify(entries)).not.toContain(payer.name)
  })

  it("shows expiry, cancellation and a refund of the whole payment", async () => {
    await using pix = await started()
    const issue = async () => (await pix.issue(shop, { id: randomUUID(), amountCents: 1_990 })).id
    const [expired, cancelled, refunded] = [await issue(), await issue(), await issue()]
    await pix.cancel(shop, cancelled)
    await pix.simulatePayment(shop, refunded)
    await pix.clock.advance("1 day")
    await pix.refund(shop, refunded)
    expect(listKinds((await pix.story(shop, expired)).entries)).toEqual(["issued", "expired"])
    expect(listKinds((await pix.story(shop, cancelled)).entries)).toEqual(["issued", "cancelled"])
    const kinds = listKinds((await pix.story(shop, refunded)).entries)
    expect(kinds.slice(0, 2)).toEqual(["issued", "paid"])
    expect(kinds).toEqual(expect.arrayContaining(["refund", "return", "refunded"]))
    await expect(pix.story(shop, randomUUID())).rejects.toMatchObject({ _tag: "ChargeNotFound" })
  })

  it("has a maximum length, and reports whether it is cut", async () => {
    await using pix = await started()
    const { id, txid } = await pix.issue(shop, { id: randomUUID(), amountCents: 1_990 })
    await pix.simulatePayment(shop, id)
    const further = async (at: number) => {
      const endToEndId = `E000000002026112212${String(at).padStart(13, "0")}`
      await pix.confirmPayment({ issuer: shop, endToEndId, txid, amountCents: 1, paidAt: pix.clock.now() + at })
    }
    for (let index = 0; index < 20; index++) await further(index)
    expect((await pix.story(shop, id)).isCut).toBe(false)
    await further(20)
    const { entries, isCut } = await pix.story(shop, id)
    expect([listKinds(entries).filter((kind) => kind === "exception").length, isCut]).toEqual([20, true])
  })
})
