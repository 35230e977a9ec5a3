import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { company, type RunningConsole, startConsole } from "./startConsole.ts"

let host: RunningConsole
beforeAll(async () => {
  host = await startConsole({ sandbox: { frozenAt: Date.UTC(2027, 2, 1, 15) } })
})
afterAll(() => host.close())

const issued = async () => (await host.pix.charges(company.cnpj, { from: 0, until: Date.UTC(2030, 0) })).items

it("issues a charge for each line, once even if the form is sent twice, and names a refused line", async () => {
  const form = {
    batch: randomUUID(),
    dueDate: "2027-03-10",
    lines: "student-1: 450.00\n\nstudent-2: 480\r\nstudent-3: 0",
  }
  for (const _ of [1, 2]) {
    const page = await host.act("console/many", form)
    expect(page).toContain("2 of 3 charges were issued. Refused: student-3: ")
  }
  expect((await issued()).map(({ reference, amountCents, dueDate }) => [reference, amountCents, dueDate])).toEqual(
    expect.arrayContaining([
      ["student-1", 45_000, "2027-03-10"],
      ["student-2", 48_000, "2027-03-10"],
    ]),
  )
  expect(await issued()).toHaveLength(2)
})

it.each([
  ["", "There are no lines."],
  ["student-1", "Each line must have a name, a colon and a text."],
  ["a: 5\nb: x", "The amount of b must be an amount in reais"],
])("issues nothing of unreadable lines: %j", async (lines, message) => {
  const before = await issued()
  expect(await host.act("console/many", { batch: "1", dueDate: "2027-03-10", lines })).toContain(message)
  expect(await issued()).toEqual(before)
})
