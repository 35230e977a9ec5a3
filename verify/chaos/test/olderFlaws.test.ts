import { expect, it } from "vitest"
import { root } from "../../world/root.ts"
import { migrationsIn } from "../hosts/migrationsIn.ts"
import { type Migration, schemaFlaw } from "../hosts/olderFlaws.ts"

const step = (version: number, readableFrom?: number): Migration => ({
  version,
  name: `change ${version}`,
  readableFrom,
  statements: (schema) => `ALTER TABLE ${schema}.charges ADD COLUMN column_${version} text`,
})

it("a revision may be the older one if each migration that it lacks permits it", () => {
  const newer = [step(1), step(2), step(3, 2), step(4, 1)]
  expect(schemaFlaw(newer, newer)).toBeUndefined()
  expect(schemaFlaw(newer.slice(0, 2), newer)).toBeUndefined()
  expect(schemaFlaw(newer.slice(0, 1), newer)).toBe(
    "its last migration is 1 (change 1), and after 3 (change 3) only releases that have migration 2 may go on",
  )
})

it("a revision whose migrations are not the working tree's first ones is refused by the first that differs", () => {
  const newer = [step(1), step(2), step(3, 1)]
  const another = { ...step(2), name: "another" }
  expect(schemaFlaw([step(1), { ...another, statements: () => "DROP TABLE charges" }], newer)).toBe(
    "its migration 2 (another) is not the working tree's",
  )
  expect(schemaFlaw([step(1), step(3)], newer)).toBe("its migration 3 (change 3) is not the working tree's")
  expect(schemaFlaw([...newer, step(4)], newer)).toBe("its migration 4 (change 4) is not the working tree's")
  expect(schemaFlaw([], newer)).toBe("its store-postgres has no migrations")
})

it("a release with migration 5 may run beside this one, and none before it", async () => {
  const migrations = await migrationsIn(root)
  expect(schemaFlaw(migrations.slice(0, 5), migrations)).toBeUndefined()
  expect(schemaFlaw(migrations.slice(0, 4), migrations)).toContain("only releases that have migration 5 may go on")
})
