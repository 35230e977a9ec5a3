import { postgresStore } from "@pixcharge/store-postgres"
import { embeddedDatabase } from "@pixcharge/store-postgres/pglite"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { cnpj, openShop } from "./recurringShop.ts"

it("keeps a recurrence on PGlite whose cycles are retried, skipped and refunded", { tags: ["long"] }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "recurrences-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const database = await embeddedDatabase(join(folder, "data"))
  onTestFinished(() => database.close())
  await using shop = openShop({ store: postgresStore({ db: database.db }) })
  const { recurrences } = shop.pix
  const id = await shop.approve({ retries: "threeInSeven" })
  await recurrences.playDebit(cnpj, id, "noBalance")
  await shop.goTo("2027-03-22", "21:30")
  const [first] = await shop.charges(id)
  await recurrences.retry(cnpj, first?.id ?? "")
  await recurrences.skip(cnpj, id, 2)
  await shop.goTo("2027-05-21")
  const charges = await shop.charges(id)
  expect(charges.map(({ cycle, status }) => [cycle?.cycle, status])).toEqual([
    [1, "paid"],
    [3, "paid"],
  ])
  await shop.pix.refund(cnpj, charges[1]?.id ?? "")
  await recurrences.end(cnpj, id)
  expect(await shop.pix.payers.erase(cnpj, "52998224725")).toBe(3)
  await shop.settle()
  const kinds = ["recurrence-approved", "payment-scheduled", "payment-failed", "paid", "payment-scheduled", "paid"]
  expect(shop.kinds().slice(0, kinds.length)).toEqual(kinds)
  // The order of a charge's events and a recurrence's events isn't fixed.
  expect(shop.kinds().slice(kinds.length).toSorted()).toEqual(["recurrence-ended", "refunded"])
})
