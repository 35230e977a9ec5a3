import { InvalidOption } from "@pixcharge/core"
import { checkOptions, hasMethods, oneOf, type OptionRule, type OptionRules, required } from "@pixcharge/core/internal"
import type { Connection } from "./Connection.ts"
import type { ReadyOptions } from "./ready.ts"

const promiseHint = "it is a promise: await it first"

const ormHint = "it is an ORM: give a pg.Pool, the one that the ORM was given or another"

/** Whether a function has a method, as those have that Knex and postgres.js make. */
const isMadeWith = (value: unknown, method: string): boolean =>
  typeof value === "function" && typeof Reflect.get(value, method) === "function"

/** The usual mistakes, each with what to give instead. */
const mistakes: ReadonlyArray<readonly [isMade: (value: unknown) => boolean, hint: string]> = [
  [(value) => hasMethods(value, "then"), promiseHint],
  [(value) => typeof value === "string", "it is a text: give new pg.Pool({ connectionString }) of the package pg"],
  [(value) => hasMethods(value, "query", "execProtocol"), "it is a PGlite: give pgliteConnection(pglite)"],
  [
    (value) => isMadeWith(value, "unsafe"),
    "it is postgres.js: give { query: async ({ text, values }) => ({ rows: await sql.unsafe(text, values) }) }",
  ],
  [(value) => isMadeWith(value, "raw"), ormHint],
  [
    (value) => typeof value === "function",
    "it is a function: of Neon's give neonConnection(neon), of a Pool an instance",
  ],
  [(value) => hasMethods(value, "query", "oneOrNone"), "it is pg-promise: give its db.$pool"],
  [(value) => hasMethods(value, "query", "oneFirst"), "it is Slonik: give a pg.Pool beside it"],
  [(value) => hasMethods(value, "query", "task", "tx"), "it is @databases/pg: give a pg.Pool beside it"],
  [(value) => hasMethods(value, "query", "escapeId"), "it is MySQL's: give a pg.Pool of a Postgres database"],
  // Sequelize and TypeORM.
  [(value) => hasMethods(value, "authenticate", "define") || hasMethods(value, "createQueryRunner"), ormHint],
  // Drizzle, Prisma and Kysely. A connection of the host's own may have such a method beside its query.
  [
    (value) =>
      !hasMethods(value, "query") &&
      ["execute", "$queryRaw", "executeQuery"].some((method) => hasMethods(value, method)),
    ormHint,
  ],
]

const hint = (value: unknown): string | undefined => mistakes.find(([isMade]) => isMade(value))?.[1]

const aConnection: OptionRule = {
  mustBe: "a pg.Pool, or what pgliteConnection or neonConnection makes",
  holds: (value) => hasMethods(value, "query") && hint(value) === undefined,
  hint,
}

/** Throws `InvalidOption` for options that `caller` can't use; a connection in their place is the usual mistake. */
export const checkConnection = <A>(caller: string, given: unknown, rules: OptionRules<A>): void => {
  if (!hasMethods(given, "query")) return checkOptions(caller, given, rules)
  throw new InvalidOption({ message: `${caller}: a connection is an option: ${caller}({ db: pool }).` })
}

/** Throws `InvalidOption` where what is to become a connection, as `caller` makes it, runs no query. */
export const checkSource = (caller: string, given: unknown, mustBe: string): void => {
  if (typeof Reflect.get(Object(given), "query") === "function") return
  const said = hasMethods(given, "then") ? `${mustBe}; ${promiseHint}` : mustBe
  throw new InvalidOption({ message: `${caller} needs ${said}.` })
}

/** The options that stores and directory share. */
export const readyRules: OptionRules<ReadyOptions & { readonly db: Connection }> = {
  db: required(aConnection),
  schema: { mustBe: "a text", holds: (value) => typeof value === "string" },
  migrations: oneOf("run", "check"),
}
