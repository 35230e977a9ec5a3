import { InvalidOption } from "@pixcharge/core"
import {
  CausedError,
  checkOptions,
  hasMethods,
  isOfOurs,
  oneOf,
  type OptionRule,
  type OptionRules,
  required,
} from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Connection, promiseHint } from "../sql/Connection.ts"
import { makeDatabase } from "../sql/Database.ts"
import { SqlFailure } from "../sql/SqlFailure.ts"
import { checkConnected } from "./readSchema.ts"
import { schemaName, type SchemaName } from "../sql/SchemaName.ts"
import { checkSchema, migrate, type SchemaOptions } from "./migrate.ts"
import { checkRights, type Rights } from "./rights.ts"

/**
 * The database can't be used; the message says why, in one sentence.
 *
 * @remedy Do what the message says: check the connection, run the migrations, or name another schema.
 * @repeat Yes, once the database can be used.
 */
export class StoreNotReady extends CausedError("StoreNotReady")<{ readonly cause: unknown }> {
  override get message(): string {
    const why = isOfOurs(this.cause) ? this.cause.message.replace(/\.$/, "") : "the connection failed (see the cause)"
    return `The database can't be used: ${why}.`
  }
}

export interface ReadyOptions extends SchemaOptions {
  /** `run` (default) migrates. `check` refuses a schema that lacks migrations: the host runs them separately. */
  readonly migrations?: "run" | "check"
}

const ignore = () => {}

const insufficientPrivilege = "42501"

export const prepareSchema = (
  db: Connection,
  options: ReadyOptions,
  rights: Rights,
  bringUp: () => Promise<unknown>,
): Effect.Effect<SchemaName, StoreNotReady, Scope.Scope> =>
  Effect.gen(function* () {
    // A restart of the database breaks idle connections. Without a listener, the pool's `error` event would end the process.
    yield* Effect.acquireRelease(
      Effect.sync(() => db.on?.("error", ignore)),
      () => Effect.sync(() => db.removeListener?.("error", ignore)),
    )
    return yield* Effect.tryPromise({
      try: async () => {
        checkConnected(db)
        const schema = schemaName(options.schema)
        const demandRights = () => checkRights(makeDatabase(db, schema), schema, rights)
        await bringUp().catch(async (error: unknown) => {
          if (error instanceof SqlFailure && error.sqlState === insufficientPrivilege) await demandRights()
          throw error
        })
        await demandRights()
        return schema
      },
      catch: (cause) => new StoreNotReady({ cause }),
    })
  })

export const migrateOrCheck = async (db: Connection, options: ReadyOptions): Promise<void> => {
  await (options.migrations === "check" ? checkSchema(db, options) : migrate(db, options))
}

export const prepare = (
  db: Connection,
  options: ReadyOptions,
  rights: Rights,
): Effect.Effect<SchemaName, StoreNotReady, Scope.Scope> =>
  prepareSchema(db, options, rights, () => migrateOrCheck(db, options))

const ormHint = "it is an ORM: give a pg.Pool, either the ORM's or a separate one"

const isMadeWith = (value: unknown, method: string): boolean =>
  typeof value === "function" && typeof Reflect.get(value, method) === "function"

const mistakes: ReadonlyArray<readonly [isMade: (value: unknown) => boolean, hint: string]> = [
  [(value) => hasMethods(value, "then"), promiseHint],
  [(value) => typeof value === "string", "it is a string: give new pg.Pool({ connectionString }) of the package pg"],
  [(value) => hasMethods(value, "query", "execProtocol"), "it is a PGlite: give pgliteConnection(pglite)"],
  [
    (value) => isMadeWith(value, "unsafe"),
    "it is postgres.js: give { query: async ({ text, values }) => ({ rows: await sql.unsafe(text, values) }) }",
  ],
  [(value) => isMadeWith(value, "raw"), ormHint],
  [(value) => typeof value === "function", "it is a function: give neonConnection(neon), or an instance of a Pool"],
  [(value) => hasMethods(value, "query", "oneOrNone"), "it is pg-promise: give its db.$pool"],
  [(value) => hasMethods(value, "query", "oneFirst"), "it is Slonik: give a separate pg.Pool"],
  [(value) => hasMethods(value, "query", "task", "tx"), "it is @databases/pg: give a separate pg.Pool"],
  [(value) => hasMethods(value, "query", "escapeId"), "it is MySQL's: give a pg.Pool of a Postgres database"],
  // Sequelize and TypeORM.
  [(value) => hasMethods(value, "authenticate", "define") || hasMethods(value, "createQueryRunner"), ormHint],
  // Drizzle, Prisma and Kysely. A host's own connection can have such a method in addition to `query`.
  [
    (value) =>
      !hasMethods(value, "query") &&
      ["execute", "$queryRaw", "executeQuery"].some((method) => hasMethods(value, method)),
    ormHint,
  ],
]

const hint = (value: unknown): string | undefined => mistakes.find(([isMade]) => isMade(value))?.[1]

const aConnection: OptionRule = {
  mustBe: "a pg.Pool, or the result of pgliteConnection or neonConnection",
  holds: (value) => hasMethods(value, "query") && hint(value) === undefined,
  hint,
}

/** A connection instead of options is the usual mistake. Throws `InvalidOption`. */
export const checkConnection = <A>(caller: string, given: unknown, rules: OptionRules<A>): void => {
  if (!hasMethods(given, "query")) return checkOptions(caller, given, rules)
  throw new InvalidOption({ message: `${caller}: a connection is an option: ${caller}({ db: pool }).` })
}

export const readyRules: OptionRules<ReadyOptions & { readonly db: Connection }> = {
  db: required(aConnection),
  schema: { mustBe: "a string", holds: (value) => typeof value === "string" },
  migrations: oneOf("run", "check"),
}
