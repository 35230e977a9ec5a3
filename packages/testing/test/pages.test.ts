import type { PlainCharge, PlainEvent } from "@pixcharge/embed"
import {
  aCharge,
  anExpiredCharge,
  aPaidCharge,
  aPaidEvent,
  aRefundedCharge,
  testPix,
  testReceiver,
} from "@pixcharge/testing"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, expect, test } from "vitest"

// These tests are the snippets of the pages, word for word.

test("a payment three days late includes the fine", async () => {
  await using pix = testPix({ company: { fees: { fine: { kind: "percent", basisPoints: 200 } } } })
  const { id } = await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 10_000, dueDate: "2027-03-05" })
  await pix.payLate(id, { days: 3 })
  expect(pix.delivered).toMatchObject([{ kind: "paid", payment: { amountCents: 10_200 } }])
})

test("an order is shipped once it is paid", async () => {
  const shipped: Array<string> = []
  await using pix = testPix({
    onEvent: ({ kind, payment }) => {
      if (kind === "paid" && payment) shipped.push(payment.chargeId)
    },
  })
  const { id } = await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 1_990 })
  await pix.pay(id)
  expect(shipped).toEqual([id])
})

/** The shop's rule: an order that was paid in time and in full is sent at once. */
const nextStep = (charge: PlainCharge): string => {
  if (charge.status !== "paid") return "wait"
  return charge.payment.late || charge.payment.otherAmount ? "ask a person" : "send"
}

test("only orders paid in time and in full are sent", () => {
  expect(nextStep(aCharge())).toBe("wait")
  expect(nextStep(aPaidCharge())).toBe("send")
  expect(nextStep(aPaidCharge({ payment: { amountCents: 1_000 } }))).toBe("ask a person")
})

const shippedOrders = new Set<string>()
const takeEvent = ({ kind, payment }: PlainEvent): void => {
  if (kind === "paid") shippedOrders.add(payment.chargeId)
}

test("an event that arrives twice ships one order", () => {
  const event = aPaidEvent()
  takeEvent(event)
  takeEvent(event)
  expect([...shippedOrders]).toEqual([event.payment.chargeId])
})

test("a charge and an event are made in one line each", () => {
  expect(anExpiredCharge({ amountCents: 5_000 }).status).toBe("expired")
  expect(aRefundedCharge({ payment: { amountCents: 4_000 } }).returns).toMatchObject([{ amountCents: 4_000 }])
  expect(aPaidEvent({ dueDate: "2027-03-05" })).toMatchObject({ kind: "paid", payment: { amountCents: 1_990 } })
})

test("a payment of a wrong amount is noted", async () => {
  await using pix = testPix()
  const { cnpj } = pix.company
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1_990 })
  await pix.simulatePayment(cnpj, id, { outcome: "approved", amountCents: 1_000 })
  expect(await pix.find(cnpj, id)).toMatchObject({ status: "paid", payment: { otherAmount: true } })
})

test("last week's payment is listed", async () => {
  await using pix = testPix()
  const { cnpj } = pix.company
  const begin = pix.clock.now() - 7 * 86_400_000
  await pix.clock.runInPast(begin, async (moveTo) => {
    const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1_990 })
    await moveTo(begin + 60_000)
    await pix.simulatePayment(cnpj, id)
  })
  expect(pix.delivered).toMatchObject([{ kind: "paid", occurredAt: begin + 60_000 }])
})

test("the second month of a subscription fails, and is debited again", async () => {
  await using pix = testPix({ recurrences: true })
  const { cnpj } = pix.company
  const payer = { name: "Ana Souza", taxId: "529.982.247-25" }
  const terms = { title: "Academia", period: "monthly", startDate: "2027-03-15", amountCents: 4_990 } as const
  const journey = { by: "code" } as const
  const { id } = await pix.recurrences.offer(cnpj, {
    id: randomUUID(),
    payer,
    ...terms,
    retries: "threeInSeven",
    journey,
  })
  await pix.recurrences.play(cnpj, id, "approve")
  await pix.clock.advance("30 days") // 31 March: the first month is paid
  await pix.recurrences.playDebit(cnpj, id, "noBalance")
  await pix.clock.advance("15.5 days") // midnight after 15 April: no money, neither in the night nor in the evening
  const [april] = (await pix.recurrences.charges(cnpj, id)).items
  await pix.recurrences.retry(cnpj, april?.id ?? "")
  await pix.clock.advance("32 days")
  const outcomes = pix.delivered.filter(({ kind }) => kind === "paid" || kind === "payment-failed")
  expect(outcomes.map(({ kind }) => kind)).toEqual(["paid", "payment-failed", "paid", "paid"])
})

test("a payment that authorises a recurrence is delivered together with the approval", async () => {
  await using pix = testPix({ recurrences: true })
  const first = randomUUID()
  const { id } = await pix.recurrences.offer(pix.company.cnpj, {
    id: randomUUID(),
    payer: { name: "Ana Souza", taxId: "529.982.247-25" },
    title: "Academia",
    period: "monthly",
    startDate: "2027-03-15",
    amountCents: 4_990,
    journey: { by: "payment", charge: { id: first, amountCents: 4_990 } },
  })
  await pix.pay(first)
  expect(pix.delivered.map(({ kind }) => kind).toSorted()).toEqual(["paid", "recurrence-approved"])
  expect(await pix.recurrences.find(pix.company.cnpj, id)).toMatchObject({ status: "approved" })
})

test("one code pays the first month and authorises the next ones", async () => {
  await using pix = testPix({ recurrences: true })
  const { cnpj } = pix.company
  const first = { id: randomUUID(), amountCents: 4_990 }
  const offered = await pix.recurrences.offer(cnpj, {
    id: randomUUID(),
    payer: { name: "Ana Souza", taxId: "529.982.247-25" },
    title: "Academia",
    period: "monthly",
    startDate: "2027-03-31",
    amountCents: 4_990,
    retries: "threeInSeven",
    journey: { by: "payment", charge: first },
  })
  expect(offered.brCode).toContain("br.gov.bcb.pix")
  await pix.pay(first.id)
  expect(await pix.recurrences.find(cnpj, offered.id)).toMatchObject({ status: "approved" })
  await pix.clock.advance("62 days")
  const { items } = await pix.recurrences.charges(cnpj, offered.id)
  expect(items.map(({ dueDate, status }) => [dueDate, status])).toEqual([
    ["2027-04-30", "paid"],
    ["2027-03-31", "paid"],
  ])
})

test("each cycle costs the amount that the host sets", async () => {
  await using pix = testPix({
    recurrences: true,
    onEvent: async (event) => {
      if (event.kind !== "cycle-due") return
      const { issuer, cycle, recurrence } = event
      await pix.recurrences.charge(issuer, recurrence.recurrenceId, { cycle, amountCents: 1_000 * cycle })
    },
  })
  const { cnpj } = pix.company
  const payer = { name: "Ana Souza", taxId: "529.982.247-25" }
  const terms = { title: "Energia", period: "monthly", startDate: "2027-03-20", journey: { by: "code" } } as const
  const { id } = await pix.recurrences.offer(cnpj, { id: randomUUID(), payer, ...terms })
  await pix.recurrences.play(cnpj, id, "approve")
  await pix.clock.advance("60 days")
  expect((await pix.recurrences.charges(cnpj, id)).items.map(({ amountCents }) => amountCents)).toEqual([2_000, 1_000])
})

test("a school's month: paid early with the discount, late with the fine, and not at all", async () => {
  await using pix = testPix({ events: ["paid", "expired"] })
  const discount = { kind: "fixedUntil", tiers: [{ date: "2027-03-05", amountCents: 8_000 }] } as const
  const fees = { discount, fine: { kind: "percent", basisPoints: 200 } } as const
  const tuition = { amountCents: 100_000, dueDate: "2027-03-10", fees }
  const issue = (reference: string) => pix.issue(pix.company.cnpj, { ...tuition, id: randomUUID(), reference })
  const [ana, bia, caio] = [await issue("ana"), await issue("bia"), await issue("caio")]
  await pix.pay(ana.id)
  await pix.payLate(bia.id, { days: 1 })
  await pix.expire(caio.id)
  expect(pix.delivered).toMatchObject([
    { kind: "paid", payment: { reference: "ana", amountCents: 92_000 } },
    { kind: "paid", payment: { reference: "bia", amountCents: 102_000 } },
    { kind: "expired", charge: { reference: "caio" } },
  ])
})

test("a second payment goes back by itself", async () => {
  await using pix = testPix({
    events: ["paid", "exception", "exception-returned"],
    onEvent: async (event) => {
      if (event.kind === "exception") await pix.exceptions.refund(event.issuer, event.exception.endToEndId)
    },
  })
  const { id } = await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 1_990 })
  await pix.payTwice(id)
  expect(pix.delivered.map(({ kind }) => kind)).toEqual(["paid", "exception", "exception-returned"])
})

test("a payer who read the code before the discount has paid in full", async () => {
  await using pix = testPix()
  const { cnpj } = pix.company
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1_990 })
  await pix.change(cnpj, id, { key: randomUUID(), amountCents: 1_490 })
  await pix.simulatePayment(cnpj, id, { amountCents: 1_990 })
  const payment = { amountCents: 1_990, otherAmount: false }
  expect(await pix.find(cnpj, id)).toMatchObject({ status: "paid", amountCents: 1_490, payment })
})

test("an import that is run again issues no charge twice", async () => {
  await using pix = testPix()
  const { cnpj } = pix.company
  const rows = [1_990, 2_990, 0].map((amountCents) => ({ id: randomUUID(), amountCents }))
  const refused: Array<string> = []
  for (let run = 0; run < 2; run++)
    for await (const { request, error } of pix.issueMany(cnpj, rows)) if (error) refused.push(request.id)
  expect(refused).toEqual([rows[2]?.id, rows[2]?.id])
  const { items } = await pix.charges(cnpj, { from: 0, until: pix.clock.now() + 1 })
  expect(items).toHaveLength(2)
})

test("an event whose handler fails is delivered again", async () => {
  const errors = [new Error("no stock")]
  await using pix = testPix({
    onEvent: () => {
      const error = errors.pop()
      if (error !== undefined) throw error
    },
  })
  const { id } = await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 1_990 })
  await expect(pix.pay(id)).rejects.toThrow("no stock")
  await pix.clock.advance("1 hour")
  expect(pix.delivered).toMatchObject([{ kind: "paid", payment: { chargeId: id } }])
})

test("the reseller is notified of a payment", async () => {
  await using receiver = await testReceiver()
  await using pix = testPix({ company: { callback: receiver.callback } })
  const { id } = await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 1_990 })
  await pix.pay(id)
  expect(receiver.received).toMatchObject([{ kind: "paid", payment: { chargeId: id } }])
})

test("a failed debit is tried again by itself, on the days that the host chose", async () => {
  const failures: Array<[string, string]> = []
  await using pix = testPix({
    recurrences: true,
    onEvent: (event) => {
      if (event.kind === "payment-failed") failures.push([event.on, event.nextAttemptOn ?? "no more"])
    },
  })
  const { cnpj } = pix.company
  const { id } = await pix.recurrences.offer(cnpj, {
    id: randomUUID(),
    payer: { name: "Ana Souza", taxId: "529.982.247-25" },
    title: "Academia",
    period: "monthly",
    startDate: "2027-04-20",
    amountCents: 4_990,
    retries: "threeInSeven",
    retryOn: [1, 3, 6],
    journey: { by: "code" },
  })
  await pix.recurrences.play(cnpj, id, "approve")
  for (let day = 1; day <= 4; day++) await pix.recurrences.playDebit(cnpj, id, "noBalance")
  await pix.clock.advance("75 days")
  expect(failures).toEqual([
    ["2027-04-20", "2027-04-21"],
    ["2027-04-21", "2027-04-23"],
    ["2027-04-23", "2027-04-26"],
    ["2027-04-26", "no more"],
  ])
})

test("a member pauses for three months", async () => {
  await using pix = testPix({ recurrences: true })
  const { cnpj } = pix.company
  const payer = { name: "Ana Souza", taxId: "529.982.247-25" }
  const terms = { title: "Academia", period: "monthly", startDate: "2027-03-20", amountCents: 4_990 } as const
  const { id } = await pix.recurrences.offer(cnpj, { id: randomUUID(), payer, ...terms, journey: { by: "code" } })
  await pix.recurrences.play(cnpj, id, "approve")
  const paused = await pix.recurrences.skip(cnpj, id, { cycles: [2, 4] })
  expect(paused.skipped).toEqual([[2, 4]])
  await pix.clock.advance("180 days")
  const { items } = await pix.recurrences.charges(cnpj, id)
  expect(items.map(({ dueDate }) => dueDate)).toEqual(["2027-08-20", "2027-07-20", "2027-03-20"])
})

const pix = testPix({ afterEach, afterAll })

test.each([1_990, 2_990])("%i cents are paid", async (amountCents) => {
  const { id } = await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents })
  await pix.pay(id)
  expect(pix.delivered).toMatchObject([{ payment: { amountCents } }])
})

const root = join(import.meta.dirname, "../../..")

const isImport = (line: string): boolean => line.startsWith("import ")

test.each(["packages/testing/README.md", "docs/testing-your-host.md", "docs/recurring.md"])(
  "the tests that %s shows are in this file",
  (page) => {
    const here = readFileSync(import.meta.filename, "utf8")
    // A snippet that begins with a file name isn't a test.
    const snippets = [...readFileSync(join(root, page), "utf8").matchAll(/^```ts\n(?!\/\/ )(.*?)^```$/gms)].map(
      ([, code = ""]) => code,
    )
    expect(snippets.length).toBeGreaterThan(0)
    for (const snippet of snippets) {
      const lines = snippet.trim().split("\n")
      expect(here).toContain(
        `\n${lines
          .filter((line) => !isImport(line))
          .join("\n")
          .trim()}\n`,
      )
      for (const line of lines.filter(isImport)) {
        expect(line).toMatch(/^import (type )?\{ [\w, ]+ \} from "(@pixcharge\/(testing|embed)|node:crypto|vitest)"$/)
      }
    }
  },
)
