import { decodeBrCode } from "@pixcharge/core/brcode"
import { type SandboxProcessor, sandboxBank } from "@pixcharge/processor-sandbox"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { changeBank } from "./changeBank.ts"
import { anOffer, cnpj, inBrasilia, noon, openShop } from "./recurringShop.ts"

const month = 30 * 86_400_000

/** A bank that never shows an approval. */
const withoutApprovals = (processor: SandboxProcessor) =>
  changeBank(processor, (port) => ({
    ...port,
    lookup: (recurrence) =>
      Effect.map(port.lookup(recurrence), (view) =>
        view?.status === "approved" ? { ...view, status: "offered" } : view,
      ),
  }))

const read = (code = "") => Result.getOrThrow(decodeBrCode(code)).code

describe("a recurrence authorised by a code", () => {
  it("has a code, and is reported once it is approved", async () => {
    await using shop = openShop()
    const { pix } = shop
    const offer = anOffer()
    const offered = await pix.recurrences.offer(cnpj, offer)
    expect(offered).toMatchObject({ status: "offered", nextCycle: 1, journey: { by: "code" }, retries: "none" })
    expect(read(offered.brCode)).toMatchObject({ _tag: "Recurrence" })
    expect(await pix.recurrences.offer(cnpj, offer)).toEqual(offered)
    const approved = await pix.recurrences.play(cnpj, offer.id, "approve")
    expect(approved).toMatchObject({
      status: "approved",
      approvedAt: noon,
      approvedAtIso: new Date(noon).toISOString(),
    })
    expect(approved).not.toHaveProperty("brCode")
    await shop.settle()
    expect(shop.events).toMatchObject([{ kind: "recurrence-approved", recurrence: { recurrenceId: offer.id } }])
  })

  it("ends once the payer declines, and charges nothing", async () => {
    await using shop = openShop()
    const { id } = await shop.pix.recurrences.offer(cnpj, anOffer())
    expect(await shop.pix.recurrences.play(cnpj, id, "decline")).toMatchObject({
      status: "ended",
      end: { reason: "declined", by: "payer", code: "AP14", atIso: new Date(noon).toISOString() },
    })
    await shop.goTo("2027-05-01")
    expect(shop.events).toMatchObject([{ kind: "recurrence-ended", end: { reason: "declined", by: "payer" } }])
    expect(await shop.charges(id)).toEqual([])
    await expect(shop.pix.recurrences.play(cnpj, id, "approve")).rejects.toMatchObject({ _tag: "InvalidOption" })
    await expect(shop.pix.recurrences.playDebit(cnpj, id, "noBalance")).rejects.toThrow("it is over there")
  })
})

describe("a recurrence offered in the bank's app", () => {
  const journey = {
    by: "bank",
    ispb: "00000000",
    branch: "1",
    account: "123456",
    until: "2027-03-10T12:00:00Z",
  } as const

  it("has no code, and shows its time limit in ISO 8601", async () => {
    await using shop = openShop()
    const { id } = await shop.pix.recurrences.offer(cnpj, anOffer({ journey }))
    const offered = await shop.pix.recurrences.find(cnpj, id)
    expect(offered).toMatchObject({ status: "offered", journey: { untilIso: "2027-03-10T12:00:00.000Z" } })
    expect(offered).not.toHaveProperty("brCode")
    expect(await shop.pix.recurrences.play(cnpj, id, "approve")).toMatchObject({ status: "approved" })
  })

  it("expires after its time limit", async () => {
    await using shop = openShop()
    const { id } = await shop.pix.recurrences.offer(cnpj, anOffer({ journey }))
    await shop.goTo("2027-03-11")
    expect(await shop.pix.recurrences.find(cnpj, id)).toMatchObject({ status: "ended", end: { reason: "expired" } })
    expect(shop.kinds()).toEqual(["recurrence-ended"])
  })

  it("is refused if it would be open for 30 days", async () => {
    await using shop = openShop()
    const late = anOffer({ journey: { ...journey, until: new Date(noon + 30 * 86_400_000) } })
    await expect(shop.pix.recurrences.offer(cnpj, late)).rejects.toMatchObject({ _tag: "SolicitationOutOfRange" })
  })
})

describe("a recurrence authorised by paying a charge", () => {
  const charge = (over: object = {}) => ({ id: randomUUID(), amountCents: 4_990, ...over })

  it("is authorised by the code that pays an immediate charge, and begins with the next cycle", async () => {
    await using shop = openShop()
    const { pix } = shop
    const first = charge()
    const offered = await pix.recurrences.offer(cnpj, anOffer({ journey: { by: "payment", charge: first } }))
    expect(read(offered.brCode)).toMatchObject({
      _tag: "Dynamic",
      recurrenceUrl: expect.stringContaining("/rec/"),
    })
    expect(await pix.recurrences.play(cnpj, offered.id, "approve")).toMatchObject({ status: "approved" })
    expect(await pix.find(cnpj, first.id)).toMatchObject({ status: "paid" })
    await shop.goTo("2027-03-31")
    expect((await shop.charges(offered.id)).map(({ status, dueDate }) => [status, dueDate])).toEqual([
      ["paid", "2027-03-20"],
    ])
  })

  it("is approved by the payment alone", async () => {
    await using shop = openShop()
    const first = charge()
    const { id } = await shop.pix.recurrences.offer(cnpj, anOffer({ journey: { by: "payment", charge: first } }))
    await shop.pix.simulatePayment(cnpj, first.id)
    await shop.settle()
    expect(await shop.pix.recurrences.find(cnpj, id)).toMatchObject({ status: "approved" })
  })

  it("ends if the bank shows no approval a day after the payment", async () => {
    await using shop = openShop({ processor: withoutApprovals(sandboxBank().processor) })
    const first = charge()
    const { id } = await shop.pix.recurrences.offer(cnpj, anOffer({ journey: { by: "payment", charge: first } }))
    await shop.pix.simulatePayment(cnpj, first.id)
    await shop.goTo("2027-03-02", "11:00")
    expect(await shop.pix.recurrences.find(cnpj, id)).toMatchObject({ status: "offered" })
    await shop.goTo("2027-03-03")
    expect(await shop.pix.recurrences.find(cnpj, id)).toMatchObject({ status: "ended", end: { reason: "expired" } })
    expect(shop.kinds()).toEqual(["paid", "recurrence-ended"])
  })

  it("comes with a due-date charge, whose payer can decline and still pay", async () => {
    await using shop = openShop()
    const due = charge({ dueDate: "2027-03-08", payer: { name: "Ana Souza", taxId: "52998224725" } })
    const { id } = await shop.pix.recurrences.offer(
      cnpj,
      anOffer({ startDate: "2027-04-20", journey: { by: "payment", charge: due } }),
    )
    expect(await shop.pix.recurrences.find(cnpj, id)).toMatchObject({ journey: { dueDate: "2027-03-08" } })
    await shop.pix.simulatePayment(cnpj, due.id)
    expect(await shop.pix.recurrences.play(cnpj, id, "decline")).toMatchObject({ status: "ended" })
    expect(await shop.pix.find(cnpj, due.id)).toMatchObject({ status: "paid" })
  })

  it.each(["is cancelled", "was never paid"])("ends also at the bank if its charge %s", async (what) => {
    await using shop = openShop()
    const first = charge()
    const { id } = await shop.pix.recurrences.offer(cnpj, anOffer({ journey: { by: "payment", charge: first } }))
    if (what === "is cancelled") await shop.pix.cancel(cnpj, first.id)
    for (const day of ["2027-03-03", "2027-03-10", "2027-03-20"]) await shop.goTo(day)
    expect(await shop.pix.recurrences.find(cnpj, id)).toMatchObject({ status: "ended", end: { reason: "expired" } })
    expect(shop.events).toMatchObject([{ kind: "recurrence-ended", end: { reason: "expired" } }])
    await expect(shop.pix.recurrences.play(cnpj, id, "approve")).rejects.toThrow("it is over there")
  })

  it("stays open after the payment of its charge until the payer has decided", async () => {
    await using shop = openShop()
    const due = charge({ dueDate: "2027-03-08", payer: { name: "Ana Souza", taxId: "52998224725" } })
    const journey = { by: "payment", charge: due } as const
    const { id } = await shop.pix.recurrences.offer(cnpj, anOffer({ startDate: "2027-04-20", journey }))
    await shop.pix.simulatePayment(cnpj, due.id)
    for (const day of ["2027-03-20", "2027-05-20"]) await shop.goTo(day)
    expect(await shop.pix.recurrences.find(cnpj, id)).toMatchObject({ status: "offered" })
  })

  it("can't begin while its charge can be paid, so that no month is paid twice", async () => {
    await using shop = openShop()
    const due = charge({ dueDate: "2027-03-08" })
    const offer = anOffer({ startDate: "2027-03-20", journey: { by: "payment", charge: due } })
    await expect(shop.pix.recurrences.offer(cnpj, offer)).rejects.toMatchObject({
      _tag: "StartDateTooEarly",
      earliest: "2027-04-08",
    })
    // The offer was refused before its charge was issued.
    await expect(shop.pix.find(cnpj, due.id)).rejects.toMatchObject({ _tag: "ChargeNotFound" })
  })
})

describe("an offer by code", () => {
  it("is open for 30 days by default, and then ends as expired", async () => {
    await using shop = openShop()
    const offer = anOffer({ startDate: "2027-04-20" })
    const { journey } = await shop.pix.recurrences.offer(cnpj, offer)
    expect(journey).toMatchObject({ until: noon + month, untilIso: "2027-03-31T15:00:00.000Z" })
    await shop.goTo("2027-03-31", "11:59")
    expect(await shop.pix.recurrences.find(cnpj, offer.id)).toMatchObject({ status: "offered" })
    await shop.goTo("2027-03-31", "12:00")
    expect(await shop.pix.recurrences.find(cnpj, offer.id)).toMatchObject({
      status: "ended",
      end: { reason: "expired" },
    })
    expect(shop.events).toMatchObject([{ kind: "recurrence-ended", end: { reason: "expired" } }])
    await expect(shop.pix.recurrences.play(cnpj, offer.id, "approve")).rejects.toThrow("it is over there")
  })

  it("is open until the host's time limit of at most 30 days, and another time limit is a conflict", async () => {
    await using shop = openShop()
    const { offer: send } = shop.pix.recurrences
    const until = "2027-03-05T12:00:00Z"
    const offer = anOffer({ journey: { by: "code", until } })
    expect(await send(cnpj, offer)).toMatchObject({ journey: { by: "code", untilIso: "2027-03-05T12:00:00.000Z" } })
    expect(await send(cnpj, offer)).toMatchObject({ id: offer.id })
    for (const other of [{ by: "code" }, { by: "code", until: "2027-03-06T12:00:00Z" }] as const) {
      await expect(send(cnpj, { ...offer, journey: other })).rejects.toMatchObject({ _tag: "RecurrenceConflict" })
    }
    for (const wrong of [noon, noon + month + 1]) {
      const refused = anOffer({ journey: { by: "code", until: new Date(wrong) } })
      await expect(send(cnpj, refused)).rejects.toMatchObject({ _tag: "SolicitationOutOfRange", latest: noon + month })
    }
    const plain = anOffer()
    await send(cnpj, plain)
    await shop.goTo("2027-03-02")
    expect(await send(cnpj, plain)).toMatchObject({ id: plain.id })
    await shop.goTo("2027-03-05", "09:00")
    expect(await shop.pix.recurrences.find(cnpj, offer.id)).toMatchObject({ status: "ended" })
  })
})

it("names whether the payer or the company ended a recurrence", async () => {
  await using shop = openShop()
  const [byPayer, byCompany] = [await shop.approve(), await shop.approve()]
  await shop.pix.recurrences.play(cnpj, byPayer, "cancel")
  expect(await shop.pix.recurrences.end(cnpj, byCompany)).toMatchObject({
    status: "ended",
    end: { reason: "ended", by: "company" },
  })
  expect(await shop.pix.recurrences.end(cnpj, byCompany)).toMatchObject({ status: "ended" })
  await shop.goTo("2027-05-01")
  expect(shop.events.flatMap((event) => (event.kind === "recurrence-ended" ? event.end.by : []))).toEqual([
    "payer",
    "company",
  ])
  expect([...(await shop.charges(byPayer)), ...(await shop.charges(byCompany))]).toEqual([])
})

it("lists recurrences newest first, by status and by payer", async () => {
  await using shop = openShop()
  const { pix } = shop
  const ana = await shop.approve()
  await pix.clock.advance("1 minute")
  const rui = await pix.recurrences.offer(cnpj, anOffer({ payer: { name: "Rui Lima", taxId: "11144477735" } }))
  const list = async (filter?: Parameters<typeof pix.recurrences.list>[1]) =>
    (await pix.recurrences.list(cnpj, filter)).items.map(({ id }) => id)
  expect(await list()).toEqual([rui.id, ana])
  expect(await list({ status: "approved" })).toEqual([ana])
  expect(await list({ payer: "111.444.777-35" })).toEqual([rui.id])
  const { items, cursor } = await pix.recurrences.list(cnpj, {}, { limit: 1 })
  const second = await pix.recurrences.list(cnpj, {}, { limit: 1, ...(cursor !== undefined && { cursor }) })
  expect([...items, ...second.items].map(({ id }) => id)).toEqual([rui.id, ana])
})

it("refuses another recurrence under a taken id or contract", async () => {
  await using shop = openShop()
  const offer = anOffer({ contract: "A-17" })
  await shop.pix.recurrences.offer(cnpj, offer)
  for (const other of [{ ...offer, amountCents: 5_990 }, anOffer({ contract: "A-17" })]) {
    await expect(shop.pix.recurrences.offer(cnpj, other)).rejects.toMatchObject({ _tag: "RecurrenceConflict" })
  }
})

it("records who offered, charged, skipped and ended in the audit log", async () => {
  await using shop = openShop()
  const ana = shop.pix.by("ana").recurrences
  const offer = anOffer({ amountCents: undefined })
  await ana.offer(cnpj, offer)
  await shop.pix.recurrences.play(cnpj, offer.id, "approve")
  await shop.goTo("2027-03-15", "10:00")
  await ana.charge(cnpj, offer.id, { cycle: 1, amountCents: 700 })
  await ana.skip(cnpj, offer.id, 2)
  await ana.end(cnpj, offer.id)
  const { items } = await shop.pix.audit.list(cnpj, { by: "ana" })
  expect(items.map(({ change }) => change.kind).toReversed()).toEqual([
    "recurrenceOffered",
    "cycleCharged",
    "cyclesSkipped",
    "recurrenceEndRequested",
  ])
})

it("exports a payer's recurrences, and erases the payer once they are over", async () => {
  await using shop = openShop()
  const { pix } = shop
  const id = await shop.approve()
  await shop.goTo("2027-03-23")
  await expect(pix.payers.erase(cnpj, "529.982.247-25")).rejects.toMatchObject({ _tag: "PayerHasRecurrence", id })
  expect((await pix.recurrences.find(cnpj, id)).payer?.name).toBe("Ana Souza")
  const kept = await pix.payers.export(cnpj, "529.982.247-25")
  expect([kept.charges.length, kept.recurrences.map((one) => one.id)]).toEqual([1, [id]])
  await pix.recurrences.end(cnpj, id)
  expect(await pix.payers.erase(cnpj, "529.982.247-25")).toBe(2)
  const erased = await pix.recurrences.find(cnpj, id)
  expect([erased.payer, erased.payerErasedAt]).toEqual([undefined, inBrasilia("2027-03-23")])
  expect((await shop.charges(id)).map(({ payer }) => payer)).toEqual([undefined])
})

it("exports more recurrences of a payer than a page holds", async () => {
  await using shop = openShop()
  const offers = Array.from({ length: 501 }, () => anOffer())
  for (const offer of offers) await shop.pix.recurrences.offer(cnpj, offer)
  const { recurrences } = await shop.pix.payers.export(cnpj, "529.982.247-25")
  expect(new Set(recurrences.map(({ id }) => id))).toEqual(new Set(offers.map(({ id }) => id)))
})
