import type { Choices } from "../choices.ts"
import type { Part } from "../Part.ts"

/** A store may have to be closed after `pix`. */
interface StorePart extends Part {
  /** What `src/pix.ts` exports of it, and how that is closed. */
  readonly closing?: { readonly name: string; readonly call: string }
}

const memory: StorePart = {
  imports: { "@pixcharge/store-memory": "{ memoryStore }" },
  options: ["// Forgets everything when the process ends.", "store: memoryStore(),"],
  packages: ["@pixcharge/store-memory"],
}

const postgres: StorePart = {
  imports: { "@pixcharge/store-postgres": "{ postgresStore }", pg: "{ Pool }" },
  statement: `export const pool = new Pool({ connectionString: setting("DATABASE_URL") })
pool.on("error", (error) => console.warn("an idle connection broke:", error.name))`,
  options: ["store: postgresStore({ db: pool }),"],
  settings: [
    {
      name: "DATABASE_URL",
      comment: "A Postgres of yours: postgres://user:password@127.0.0.1:5432/shop",
    },
  ],
  packages: ["@pixcharge/store-postgres", "pg"],
  closing: { name: "pool", call: "pool.end()" },
}

const opened = 'embeddedDatabase(".pixcharge")'

const embedded = ({ framework }: Choices): StorePart => ({
  imports: {
    "@pixcharge/store-postgres": "{ postgresStore }",
    "@pixcharge/store-postgres/pglite": "{ embeddedDatabase }",
  },
  statement: `// A Postgres in this process, kept in a folder that is this process's alone.
export const database = await ${framework === "next" ? `(shared.database ??= ${opened})` : opened}`,
  options: ["store: postgresStore({ db: database.db }),"],
  packages: ["@pixcharge/store-postgres", "@electric-sql/pglite"],
  closing: { name: "database", call: "database.close()" },
})

/** Where charges are kept. */
export const storePart = (choices: Choices): StorePart => {
  if (choices.store === "memory") return memory
  return choices.store === "postgres" ? postgres : embedded(choices)
}
