import type { Choices } from "../choices.ts"
import type { Part } from "../Part.ts"

const memory: Part = {
  imports: ['import { memoryStore } from "@pixcharge/store-memory"'],
  statements: [],
  options: ["// Forgets everything when the process ends.", "store: memoryStore(),"],
  settings: [],
  packages: ["@pixcharge/store-memory"],
  devPackages: [],
}

const postgres: Part = {
  imports: ['import { postgresStore } from "@pixcharge/store-postgres"', 'import { Pool } from "pg"'],
  statements: [
    `export const pool = new Pool({ connectionString: setting("DATABASE_URL") })
pool.on("error", (error) => console.warn("an idle connection broke:", error.name))`,
  ],
  options: ["store: postgresStore({ db: pool }),"],
  settings: [
    {
      name: "DATABASE_URL",
      comment: "A Postgres of yours: postgres://user:password@127.0.0.1:5432/shop",
    },
  ],
  packages: ["@pixcharge/store-postgres", "pg"],
  devPackages: ["@types/pg"],
}

const embedded = (isShared: boolean): Part => ({
  imports: [
    'import { postgresStore } from "@pixcharge/store-postgres"',
    'import { embeddedDatabase } from "@pixcharge/store-postgres/pglite"',
  ],
  statements: [
    `// A Postgres in this process, kept in a folder that is this process's alone.
${isShared ? "const database = await (shared.database ??= " : "export const database = await "}embeddedDatabase(".pixcharge")${isShared ? ")" : ""}`,
  ],
  options: ["store: postgresStore({ db: database.db }),"],
  settings: [],
  packages: ["@pixcharge/store-postgres", "@electric-sql/pglite"],
  devPackages: [],
})

/** Where charges are kept. */
export const storePart = ({ store, framework }: Choices): Part => {
  if (store === "memory") return memory
  return store === "postgres" ? postgres : embedded(framework === "next")
}

/** What `src/pix.ts` exports that is to be closed after `pix`, and how. */
export const findClosing = ({ store }: Choices): { readonly name: string; readonly call: string } | undefined => {
  if (store === "memory") return undefined
  return store === "postgres" ? { name: "pool", call: "pool.end()" } : { name: "database", call: "database.close()" }
}
