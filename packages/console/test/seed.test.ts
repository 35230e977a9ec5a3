import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { monthPlan } from "../src/seed/monthPlan.ts"
import { company, type RunningConsole, startConsole, until } from "./startConsole.ts"

const now = Date.UTC(2027, 2, 1, 15)
const day = 86_400_000

describe("monthPlan", () => {
  it("returns equal plans for the same seed and day, and different plans for another seed or day", () => {
    expect(monthPlan("1", now)).toEqual(monthPlan("1", now))
    expect(monthPlan("2", now)).not.toEqual(monthPlan("1", now))
    expect(monthPlan("1", now + day)).not.toEqual(monthPlan("1", now))
  })

  it("returns the steps of the last thirty days in order, and issues most charges between 8 h and 23 h", () => {
    const plan = monthPlan("1", now)
    const times = plan.map(({ at }) => at)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times[0]).toBeGreaterThan(now - 31 * day)
    expect(times.at(-1)).toBeLessThan(now)
    const issued = plan.filter(({ kind }) => kind === "issue")
    expect(issued.length).toBeGreaterThan(150)
    const hours = issued.map(({ at }) => new Date(at - 3 * 3_600_000).getUTCHours())
    expect(hours.filter((hour) => hour >= 8 && hour < 23).length / hours.length).toBeGreaterThan(0.9)
  })
})

describe("a seeded sandbox", () => {
  let host: RunningConsole
  beforeAll(async () => {
    host = await startConsole({ sandbox: { frozenAt: now } })
  })
  afterAll(() => host.close())

  const charges = async () =>
    (await host.pix.charges(company.cnpj, { from: 0, until: host.pix.clock.now() + 1 }, { limit: 1_000 })).items

  it("gets a month with charges of every status, exceptions and dead letters, and no second month for the same seed", async () => {
    const before = host.pix.clock.now()
    expect(await host.act("console/seed", { seed: "1" })).toMatch(/\d+ charges of thirty days were made/)
    expect(host.pix.clock.now() - before).toBeLessThan(60_000)
    const items = await charges()
    const count = (status: string) => items.filter((charge) => charge.status === status).length
    expect(count("paid")).toBeGreaterThan(100)
    for (const status of ["expired", "cancelled", "refunded"]) expect(count(status), status).toBeGreaterThan(1)
    const late = items.filter((charge) => "payment" in charge && charge.payment.late)
    expect(late.length).toBeGreaterThan(1)
    for (const charge of items) {
      if ("payment" in charge) expect(charge.payment.recordedAt).toBeLessThan(charge.payment.paidAt + 3 * day)
    }
    expect(items.some(({ partialRefunds }) => partialRefunds !== undefined)).toBe(true)
    const changed = items.filter(({ termsHistory }) => termsHistory !== undefined)
    expect(changed.length).toBeGreaterThan(0)
    for (const { amountCents, termsHistory } of changed) {
      expect(termsHistory?.map((terms) => terms.amountCents)).toEqual([amountCents + 500, amountCents])
    }
    const exceptions = []
    for await (const exception of host.pix.exceptions.list(company.cnpj)) exceptions.push(exception)
    expect(exceptions.length).toBeGreaterThan(0)

    const { items: dead } = await host.pix.events.deadLetters(company.cnpj)
    expect(dead.length).toBe(3)
    for (const { event, attempts, settledAt } of dead) {
      expect(attempts).toBe(10)
      expect(settledAt).toBeLessThan(before)
      expect(settledAt).toBeGreaterThan(event.occurredAt + 2 * day)
    }
    const { items: delivered } = await host.pix.events.list(company.cnpj, { status: "delivered" }, { limit: 1_000 })
    const prompt = delivered.filter(
      ({ event, lastAttempt }) => (lastAttempt?.startedAt ?? 0) < event.occurredAt + 3_600_000,
    )
    expect(prompt.length / delivered.length).toBeGreaterThan(0.9)

    expect(await host.act("console/seed", { seed: "1" })).toContain("This month already exists")
    expect((await charges()).length).toBe(items.length)
  })

  it("delivers a dead letter when the developer sends it again", async () => {
    const { items } = await host.pix.events.deadLetters(company.cnpj)
    const [first] = items
    expect(await host.act(`console/events/${first?.event.id}/resend`)).toContain("The event is sent again")
    await until(async () => (await host.pix.events.deadLetters(company.cnpj)).items.length === items.length - 1)
    await until(async () => (await host.page(`console/events/${first?.event.id}`)).includes(">delivered<"))
  })

  it("refuses a second month while one is made, and shows the progress on open pages", async () => {
    const controller = new AbortController()
    const stream = await fetch(`${host.url}/console/live`, { signal: controller.signal })
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    const first = host.act("console/seed", { seed: "2" })
    let received = ""
    while (!received.includes("data: A month of charges: 0 % are made")) received += (await reader.read()).value ?? ""
    expect(await host.act("console/seed", { seed: "3" })).toContain("A month of charges is already being made")
    while (!received.includes("data: A month of charges was made")) received += (await reader.read()).value ?? ""
    controller.abort()
    expect(await first).toMatch(/\d+ charges of thirty days were made/)
    expect(received.match(/^data: A month .*/gm)).toEqual([
      ...[0, 10, 20, 30, 40, 50, 60, 70, 80, 90].map((percent) => `data: A month of charges: ${percent} % are made`),
      "data: A month of charges was made",
    ])
    expect((await host.pix.events.deadLetters(company.cnpj)).items.length).toBe(5)
  })

  it("refuses a seed that isn't a number", async () => {
    expect(await host.act("console/seed", { seed: "x" })).toContain("The number must be a whole number")
  })
})
