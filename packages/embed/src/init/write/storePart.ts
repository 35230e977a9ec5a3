import type { Choices } from "../choices.ts"
import type { Part } from "./writeSource.ts"

/** A store may have to be closed after `pix`. */
interface StorePart extends Part {
  /** What the `pix` module exports of it, and how that is closed. */
  readonly closing?: { readonly name: string; readonly call: string }
}

const stores: Readonly<Record<Choices["store"], StorePart>> = {
  memory: {
    imports: { "@pixcharge/store-memory": "{ memoryStore }" },
    options: ["// Forgets everything when the process ends.", "store: memoryStore(),"],
    packages: ["@pixcharge/store-memory"],
  },
  postgres: {
    imports: { "@pixcharge/store-postgres": "{ postgresStore }", pg: "{ Pool }" },
    statement: `// Your app's own pool does as well: pixcharge's tables are in a schema of their own.
export const pool = new Pool({ connectionString: process.env["DATABASE_URL"] })
pool.on("error", (error) => console.warn("an idle connection broke:", error.name))`,
    options: ["store: postgresStore({ db: pool }),"],
    settings: [
      {
        name: "DATABASE_URL",
        comment: "A Postgres of yours: postgres://user:password@127.0.0.1:5432/shop",
        isRequired: true,
      },
    ],
    packages: ["@pixcharge/store-postgres", "pg"],
    closing: { name: "pool", call: "pool.end()" },
  },
  embedded: {
    imports: {
      "@pixcharge/store-postgres": "{ postgresStore }",
      "@pixcharge/store-postgres/pglite": "{ embeddedDatabase }",
    },
    statement: `// A Postgres in this process, kept in a folder that is this process's alone.
export const database = await embeddedDatabase(".pixcharge")`,
    options: ["store: postgresStore({ db: database.db }),"],
    packages: ["@pixcharge/store-postgres", "@electric-sql/pglite"],
    closing: { name: "database", call: "database.close()" },
  },
}

/** Where charges are kept. */
export const storePart = ({ store }: Choices): StorePart => stores[store]

/** Statements that end `pix` and what it was made of, in their order. */
export const listEndings = (choices: Choices): ReadonlyArray<string> => {
  const { closing } = storePart(choices)
  return ["await pix.dispose()", ...(closing === undefined ? [] : [`await ${closing.call}`])]
}

/** What a file imports of the `pix` module to start and to end it, and these names. */
export const importPix = (choices: Choices, ...names: ReadonlyArray<string>): string => {
  const { closing } = storePart(choices)
  return `{ ${[...names, "pix", ...(closing === undefined ? [] : [closing.name])].toSorted().join(", ")} }`
}
