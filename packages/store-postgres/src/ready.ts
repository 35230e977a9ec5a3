import { CausedError, isOfOurs } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Connection } from "./Connection.ts"
import { checkSchema, migrate, type SchemaOptions } from "./migrations/migrate.ts"
import { makeDatabase } from "./database/Database.ts"
import { SqlFailure } from "./database/SqlFailure.ts"
import { checkConnected } from "./readServer.ts"
import { checkRights, type Rights } from "./rights.ts"
import { schemaName, type SchemaName } from "./SchemaName.ts"

/**
 * The database can't be used; the message says why, in one sentence.
 *
 * @remedy Do what the message says: check the connection, run the migrations, or name another schema.
 * @repeat Yes, once the database can be used.
 */
export class StoreNotReady extends CausedError("StoreNotReady")<{ readonly cause: unknown }> {
  override get message(): string {
    const why = isOfOurs(this.cause) ? this.cause.message.replace(/\.$/, "") : "the connection failed as its cause says"
    return `The database can't be used: ${why}.`
  }
}

/** How the schema is brought up to date at the start. */
export interface ReadyOptions extends SchemaOptions {
  /** `check` runs no migration, and refuses a schema that lacks some: for hosts that run them separately. By default `run`. */
  readonly migrations?: "run" | "check"
}

const ignore = () => {}

const missesRights = "42501"

/** Handles the connection's errors as long as the scope lives, brings the schema up, and checks the rights. */
export const prepareSchema = (
  db: Connection,
  options: ReadyOptions,
  rights: Rights,
  bringUp: () => Promise<unknown>,
): Effect.Effect<SchemaName, StoreNotReady, Scope.Scope> =>
  Effect.gen(function* () {
    // A restart of the database breaks idle connections, and the pool emits `error`: without a listener, the host's process would end.
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
          if (error instanceof SqlFailure && error.sqlState === missesRights) await demandRights()
          throw error
        })
        await demandRights()
        return schema
      },
      catch: (cause) => new StoreNotReady({ cause }),
    })
  })

/** Migrates the schema, or checks that it needs no migration. */
export const migrateOrCheck = async (db: Connection, options: ReadyOptions): Promise<void> => {
  await (options.migrations === "check" ? checkSchema(db, options) : migrate(db, options))
}

/** The same; brings the schema up by `migrateOrCheck`. */
export const prepare = (
  db: Connection,
  options: ReadyOptions,
  rights: Rights,
): Effect.Effect<SchemaName, StoreNotReady, Scope.Scope> =>
  prepareSchema(db, options, rights, () => migrateOrCheck(db, options))
