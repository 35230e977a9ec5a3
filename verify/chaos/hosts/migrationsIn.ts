import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Migration } from "./olderFlaws.ts"

export const migrationsIn = async (source: string): Promise<ReadonlyArray<Migration>> => {
  const built = join(source, "packages/store-postgres/dist/schema/migrations.js")
  if (!existsSync(built)) return []
  const { migrations } = (await import(built)) as { readonly migrations: ReadonlyArray<Migration> }
  return migrations
}
