import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { migrate } from "@pixcharge/store-postgres"
import { embeddedDatabase } from "@pixcharge/store-postgres/pglite"
import { expect, it, onTestFinished } from "vitest"
import { startHost } from "./startHost.ts"

const read = async (folder: string, text: string) => {
  const { db, close } = await embeddedDatabase(folder)
  try {
    return (await db.query({ text, values: [] })).rows
  } finally {
    await close()
  }
}

it("a database of an unreleased version is kept aside with all that it holds, and a new one made", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pixcharge-kept-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { db, close } = await embeddedDatabase(join(folder, ".pixcharge"))
  await migrate(db)
  const made = "INSERT INTO pixcharge.resellers VALUES ('made before', 'Revenda', true)"
  // As such a version leaves it: its migrations have no digest.
  for (const text of [made, "ALTER TABLE pixcharge.migrations DROP COLUMN digest"]) await db.query({ text, values: [] })
  await close()

  const main = join(import.meta.dirname, "../dist/main.js")
  const host = await startHost(main, { DATABASE_URL: "" }, folder)
  await host.stop()
  const kept = readdirSync(folder).filter((name) => name !== ".pixcharge")
  expect(kept).toEqual([expect.stringMatching(/^\.pixcharge-kept-\d/)])
  const aside = join(folder, String(kept[0]))
  expect(host.logs()).toContain(
    `The database was made by an unreleased version of pixcharge: it is kept in ${aside}, and a new one is made.\n`,
  )
  const find = "SELECT name FROM pixcharge.resellers WHERE cnpj = 'made before'"
  expect(await read(aside, find)).toEqual([{ name: "Revenda" }])
  expect(await read(join(folder, ".pixcharge"), find)).toEqual([])
}, 240_000)
