import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { tell } from "../../world/commandLine.ts"
import { root } from "../../world/root.ts"
import type { Release } from "./Hosts.ts"
import { installHost, makeFolder } from "./installHost.ts"
import { migrationsIn } from "./migrationsIn.ts"
import type { Migration } from "./olderFlaws.ts"

/** The step of a release after these, which permits that they go on: what a newer release adds, and they know nothing of. */
export const nextStep = (known: ReadonlyArray<Migration>): Migration => {
  const { version } = known.at(-1) as Migration
  return {
    version: version + 1,
    name: "chaos",
    readableFrom: version,
    statements: `
ALTER TABLE @.charges ADD COLUMN newer text NOT NULL DEFAULT 'newer';
ALTER TABLE @.payments ADD COLUMN newer text;
CREATE INDEX charges_newer ON @.charges (issuer, newer, created_at);`,
  }
}

/** Packs the working tree, adds a step to its schema, and installs a host of it: the release after this one. */
export const installNewer = async (): Promise<Release> => {
  tell("the working tree is packed, with a step more")
  const folder = makeFolder("newer")
  const program = await installHost(root, folder)
  const list = join(folder, "host/node_modules/@pixcharge/store-postgres/dist/migrations/migrations.js")
  const text = readFileSync(list, "utf8")
  // The installed file may be a link to the one in pnpm's store.
  rmSync(list)
  writeFileSync(list, `${text}\nmigrations.push(${JSON.stringify(nextStep(await migrationsIn(root)))})\n`)
  return { name: "newer", program }
}
