import { expect, it } from "vitest"
import { migrations, schemaVersion } from "../src/migrations/migrations.ts"

it("a released step keeps its number, its name, and which older releases may go on after it", () => {
  expect(migrations.map(({ version, name, readableFrom }) => [version, name, readableFrom])).toEqual([
    [1, "initial schema", undefined],
    [2, "key rings and revoked tokens", undefined],
    [3, "audit log", undefined],
    [4, "texts for payers and searches for charges", 3],
    [5, "partial refunds", undefined],
    [6, "checks by list", 3],
    [7, "stories of charges and exceptions of a period", 3],
    [8, "settings of the tables", 3],
    [9, "records without the right to date them", 3],
    [10, "closed days of charges", 3],
    [11, "reads of periods", 3],
    [12, "one company for each payment", 3],
    [13, "registrations of keys", 3],
    [14, "sweeps of companies", 3],
    [15, "reasons of refunds", 3],
    [16, "searches of periods", 3],
    [17, "recurrences", 3],
  ])
  expect(schemaVersion).toBe(17)
})
