import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { company, type RunningConsole, startConsole } from "./startConsole.ts"

let host: RunningConsole
beforeAll(async () => {
  host = await startConsole({ sandbox: { recurrences: true, frozenAt: Date.UTC(2027, 2, 1, 15) } })
})
afterAll(() => host.close())

const inTwoWeeks = (): string => new Date(host.pix.clock.now() + 14 * 86_400_000).toISOString().slice(0, 10)

const offer = async (fields: Record<string, string> = {}) => {
  const id = randomUUID()
  await host.act(
    "console/recurrences",
    {
      id,
      title: "Clube do livro",
      amount: "49,90",
      period: "monthly",
      startDate: inTwoWeeks(),
      journey: "code",
      ...fields,
    },
    "console/recurrences",
  )
  return { id, path: `console/recurrences/${id}` }
}

const status = async (id: string) => (await host.pix.recurrences.find(company.cnpj, id)).status

it("offers recurrences with the form, and plays their payers", async () => {
  const { id, path } = await offer()
  expect(await host.page("console/recurrences")).toContain(`console/recurrences/${id}`)
  const offered = await host.page(path)
  expect(offered).toContain("R$ 49.90 a month")
  expect(offered).toContain("<svg")
  expect(await host.act(`${path}/play`, { act: "approve" }, path)).toContain("The recurrence is approved.")
  expect(await status(id)).toBe("approved")
  expect(await host.act(`${path}/play`, { act: "cancel" }, path)).toContain("The recurrence is ended.")
  const declined = await offer()
  await host.act(`${declined.path}/play`, { act: "decline" }, declined.path)
  expect(await host.page(declined.path)).toContain("declined")
  const paid = await offer({ journey: "payment", firstAmount: "10" })
  await host.act(`${paid.path}/play`, { act: "approve" }, paid.path)
  expect(await host.pix.recurrences.find(company.cnpj, paid.id)).toMatchObject({
    status: "approved",
    journey: { by: "payment" },
  })
})

it("charges a cycle when the clock moves, and shows its failed debits and its events", async () => {
  const { id, path } = await offer({ startDate: "2027-04-20" })
  await host.act(`${path}/play`, { act: "approve" }, path)
  await host.act(`${path}/debit`, { outcome: "noBalance" }, path)
  for (let week = 0; week < 8; week++) await host.act("console/clock", { by: "1 week" }, path)
  const failed = await host.page(path)
  expect(failed).toContain("Cycle 1")
  expect(failed).toMatch(/20 Apr 2027 expired/)
  const { items } = await host.pix.recurrences.charges(company.cnpj, id)
  expect(await host.page(`console/charges/${items[0]?.id}`)).toContain(`console/recurrences/${id}"`)
  const events = await host.page("console/events")
  for (const kind of ["recurrence-approved", "payment-scheduled", "payment-failed"]) expect(events).toContain(kind)
})

it("retries a failed debit when the developer asks for a new attempt", async () => {
  const { id, path } = await offer()
  await host.act(`${path}/play`, { act: "approve" }, path)
  await host.act(`${path}/debit`, { outcome: "noBalance" }, path)
  const failed = async () => (await host.page(path)).includes("Ask for a new attempt")
  for (let days = 0; days < 24 && !(await failed()); days++) await host.act("console/clock", { by: "1 day" }, path)
  const { items } = await host.pix.recurrences.charges(company.cnpj, id)
  const [charge] = items
  expect(await host.act(`console/charges/${charge?.id}/retry`, {}, path)).toContain("A new attempt is requested")
  await host.act("console/clock", { by: "1 day" }, path)
  await host.act("console/clock", { by: "1 day" }, path)
  expect((await host.pix.find(company.cnpj, charge?.id ?? "")).status).toBe("paid")
})

it("asks again by itself on the days of the form, and skips the cycles of a pause", async () => {
  const { id, path } = await offer({ retryOn: "1, 3 6" })
  await host.act(`${path}/play`, { act: "approve" }, path)
  expect(await host.page(path)).toContain("1, 3, 6 days after the due date")
  await host.act(`${path}/debit`, { outcome: "noBalance" }, path)
  const next = async () => (await host.page(path)).includes("Next planned attempt")
  for (let days = 0; days < 24 && !(await next()); days++) await host.act("console/clock", { by: "1 day" }, path)
  for (const _ of [1, 2]) await host.act("console/clock", { by: "1 day" }, path)
  const { items } = await host.pix.recurrences.charges(company.cnpj, id)
  expect(items.map(({ status: each }) => each)).toEqual(["paid"])
  expect(await host.act(`${path}/skip`, { from: "3", to: "2" }, path)).toContain("cycles must be [from, to]")
  const paused = await host.act(`${path}/skip`, { from: "2", to: "4" }, path)
  expect(paused).toContain("Cycles 2 to 4 are skipped.")
  expect(paused).toMatch(/Skipped cycles<\/dt>\s*<dd>2 to 4</)
})

it("charges a varying amount with the form, and shows that a debit above the payer's maximum failed", async () => {
  const { id, path } = await offer({ amount: "" })
  await host.act(`${path}/play`, { act: "approve" }, path)
  await host.act(`${path}/play`, { maximum: "100" }, path)
  expect(await host.act(`${path}/charge`, { cycle: "1", amount: "50" }, path)).toContain("CycleNotOpen")
  for (const by of ["1 week", "1 day"]) await host.act("console/clock", { by }, path)
  expect(await host.act(`${path}/charge`, { cycle: "1", amount: "150" }, path)).toContain("The cycle is charged.")
  await host.act("console/clock", { by: "10 minutes" }, path)
  expect(await host.page(path)).toContain("AM02")
  expect(await host.act(`${path}/end`, {}, path)).toMatch(/The recurrence is end(?:ing|ed)\./)
  expect(await status(id)).toMatch(/^end/)
})

it.each([
  ["play", {}, "The maximum is missing."],
  ["play", { maximum: "x" }, "The maximum must be an amount in reais"],
  ["debit", { outcome: "x" }, "Choose one of the offered outcomes."],
  ["charge", { cycle: "1" }, "The amount is missing."],
  ["skip", { from: "x" }, "cycles must be [from, to]"],
])("rejects an invalid form: %s %j", async (step, fields, message) => {
  const { path } = await offer()
  expect(await host.act(`${path}/${step}`, fields as Record<string, string>, path)).toContain(message)
})

it("answers 404 for a missing recurrence", async () => {
  for (const id of [randomUUID(), "x"])
    expect((await fetch(`${host.url}/console/recurrences/${id}`)).status, id).toBe(404)
})

it("doesn't have pages of recurrences in a sandbox without recurrences", async () => {
  const bare = await startConsole()
  try {
    expect(await bare.page("")).not.toContain("console/recurrences")
    expect((await fetch(`${bare.url}/console/recurrences`)).status).toBe(404)
  } finally {
    await bare.close()
  }
})
