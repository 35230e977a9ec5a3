import { expect, it } from "vitest"
import { root } from "../../world/root.ts"
import { nextStep } from "../hosts/nextStep.ts"
import { migrationsIn } from "../hosts/migrationsIn.ts"
import { type Migration, schemaFlaw } from "../hosts/olderFlaws.ts"

const step = (version: number, readableFrom?: number): Migration => ({
  version,
  name: `change ${version}`,
  readableFrom,
  statements: `ALTER TABLE @.charges ADD COLUMN column_${version} text`,
})

it("accepts an older revision if each migration that it lacks permits it", () => {
  const newer = [step(1), step(2), step(3, 2), step(4, 1)]
  expect(schemaFlaw(newer, newer)).toBeUndefined()
  expect(schemaFlaw(newer.slice(0, 2), newer)).toBeUndefined()
  expect(schemaFlaw(newer.slice(0, 1), newer)).toBe(
    "its last migration is 1 (change 1), and after 3 (change 3) only releases that have migration 2 may continue",
  )
})

it("rejects a revision at the first migration that differs from the working tree's", () => {
  const newer = [step(1), step(2), step(3, 1)]
  const another = { ...step(2), name: "another" }
  const isOther = "differs from the working tree's, which treats its schema as unreleased"
  expect(schemaFlaw([step(1), { ...another, statements: "DROP TABLE charges" }], newer)).toBe(
    `its migration 2 (another) ${isOther}`,
  )
  expect(schemaFlaw([step(1), another], newer)).toBe(`its migration 2 (another) ${isOther}`)
  expect(schemaFlaw([step(1), step(3)], newer)).toBe(`its migration 3 (change 3) ${isOther}`)
  expect(schemaFlaw([...newer, step(4)], newer)).toBe(`its migration 4 (change 4) ${isOther}`)
  expect(schemaFlaw([], newer)).toBe("its store-postgres has no migrations")
})

it("accepts the working tree as the older release of chaos's next release", async () => {
  const migrations = await migrationsIn(root)
  expect(schemaFlaw(migrations, [...migrations, nextStep(migrations)])).toBeUndefined()
})

it("rejects a revision from before the single first migration", async () => {
  const first = { version: 1, name: "initial schema", statements: () => "CREATE TABLE charges ()" }
  expect(schemaFlaw([first as never, step(2)], await migrationsIn(root))).toMatch(
    /^its migration 1 \(initial schema\) differs/,
  )
})
