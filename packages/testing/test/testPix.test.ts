import { chargeTxid } from "@pixcharge/core/plain"
import type { PixEvent } from "@pixcharge/core/charges"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { testPix, type TestPix } from "../src/index.ts"

const issue = async (pix: TestPix, amountCents = 1_990): Promise<string> =>
  (await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents })).id

it("freezes the clock at noon of a Monday in Brasília, and again after each move of the clock", async () => {
  await using pix = testPix()
  expect(pix.clock.now()).toBe(Date.parse("2027-03-01T12:00:00-03:00"))
  const charge = await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 1 })
  expect(charge.createdAtIso).toBe("2027-03-01T15:00:00.000Z")
  await pix.clock.advance("1 hour")
  expect(new Date(pix.clock.now()).toISOString()).toBe("2027-03-01T16:00:00.000Z")
})

it("gives a token over HTTP for company, key and secret", async () => {
  await using pix = testPix()
  const answer = await pix.fetch(new Request(`http://pix/api/token/${pix.secret}`))
  expect(answer.status).toBe(200)
  expect(atob(pix.secret)).toBe(`${pix.company.cnpj}|${pix.key}`)
})

it("accepts every option except those that it sets itself, and overrides the company's fields", async () => {
  await using pix = testPix({
    company: { cnpj: "11222333000181", pixKey: "11222333000181", integratorKey: "another key of a test" },
    frozenAt: Date.parse("2030-01-02T12:00:00-03:00"),
    holidays: () => ({ isHoliday: () => false }),
  })
  const charge = await pix.issue("11222333000181", { id: randomUUID(), amountCents: 5 })
  expect(charge.createdAtIso).toBe("2030-01-02T15:00:00.000Z")
  expect(pix.key).toBe("another key of a test")
  await pix.pay(charge.id)
  expect(pix.delivered).toMatchObject([{ kind: "paid", issuer: "11222333000181" }])
})

it("refuses an invalid company immediately", () => {
  expect(() => testPix({ company: { graceDays: 0 } })).toThrow("graceDays must be a whole number")
})

it("delivers the event of the host's refund by runDueWork", async () => {
  await using pix = testPix()
  const id = await issue(pix)
  await pix.pay(id)
  await pix.refund(pix.company.cnpj, id)
  expect(pix.delivered.map(({ kind }) => kind)).toEqual(["paid"])
  await pix.runDueWork()
  expect(pix.delivered.map(({ kind }) => kind)).toEqual(["paid", "refunded"])
})

it("finds a payment whose notice was lost and delivers its event when the clock moves on", async () => {
  await using pix = testPix()
  const id = await issue(pix, 1_995)
  await pix.simulatePayment(pix.company.cnpj, id)
  expect(pix.delivered).toEqual([])
  await pix.clock.advance("1 minute")
  expect(pix.delivered).toMatchObject([{ kind: "paid", payment: { chargeId: id } }])
})

it("delivers the events of concurrent calls before each returns", async () => {
  await using pix = testPix({ onEvent: () => new Promise((resolve) => setTimeout(resolve, 5)) })
  const ids = await Promise.all([1, 2, 3, 4].map((cents) => issue(pix, cents)))
  await Promise.all(
    ids.map(async (id) => {
      await pix.pay(id)
      expect(pix.delivered.map(({ payment }) => payment?.chargeId)).toContain(id)
    }),
  )
  expect(pix.delivered).toHaveLength(4)
})

it("resolves a call only after onEvent's changes of the charge", async () => {
  const refundAtOnce = async ({ kind, issuer, payment }: PixEvent) => {
    if (kind === "paid") await pix.refund(issuer, payment?.chargeId ?? "")
  }
  await using pix = testPix({ onEvent: refundAtOnce })
  const { status } = await pix.pay(await issue(pix))
  expect(status).toBe("refunded")
  expect(pix.delivered.map(({ kind }) => kind)).toEqual(["paid", "refunded"])
})

it("rejects the call that delivers with onEvent's error, and delivers the event again when the clock moves", async () => {
  const errors = [new Error("no stock")]
  await using pix = testPix({
    onEvent: () => {
      const error = errors.pop()
      if (error !== undefined) throw error
    },
  })
  const id = await issue(pix)
  await expect(pix.pay(id)).rejects.toThrow("no stock")
  expect(pix.delivered).toEqual([])
  await pix.runDueWork()
  expect(pix.delivered).toEqual([])
  await pix.clock.advance("1 hour")
  expect(pix.delivered).toMatchObject([{ kind: "paid", payment: { chargeId: id } }])
})

it("rejects with the errors of onEvent for several events together", async () => {
  await using pix = testPix({
    onEvent: ({ id }) => {
      throw new Error(id)
    },
  })
  const ids = await Promise.all([issue(pix, 1), issue(pix, 2)])
  const notice = (id: string, endToEndId: string) =>
    pix.confirmPayment({
      issuer: pix.company.cnpj,
      txid: chargeTxid(pix.company.cnpj, id),
      endToEndId,
      amountCents: 1,
      paidAt: pix.clock.now(),
    })
  await notice(ids[0] ?? "", "E1".padEnd(32, "0"))
  await notice(ids[1] ?? "", "E2".padEnd(32, "0"))
  const failure = (await pix.runDueWork().catch((error: unknown) => error)) as AggregateError
  expect(failure.errors).toHaveLength(2)
})

it("forgets delivered events after each test, and disposes after the last test, by hooks of the test runner", async () => {
  const hooks: Array<() => void | Promise<void>> = []
  const register = (hook: () => void | Promise<void>) => hooks.push(hook)
  const pix = testPix({ afterEach: register, afterAll: register })
  await pix.pay(await issue(pix))
  expect(pix.delivered).toHaveLength(1)
  await hooks[0]?.()
  expect(pix.delivered).toEqual([])
  await hooks[1]?.()
  await expect(pix.runDueWork()).rejects.toMatchObject({ _tag: "PixDisposed" })
})
