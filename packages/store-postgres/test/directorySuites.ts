import { type Connection, migrate, postgresDirectory, postgresStore } from "@pixcharge/store-postgres"
import {
  callbackEndpointsSuite,
  companyDirectorySuite,
  directoryAdminSuite,
  directoryAuditSuite,
  directoryUnderTest,
} from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { beforeAll } from "vitest"

export const pepper = { kid: "p1", secret: "a pepper that no database knows!" }
export const sealingKey = { kid: "s1", secret: "a key that seals callback secrets" }
export const secrets = { pepper: [pepper], sealingKey: [sealingKey] } as const

/** Tests share the schema, because making a schema takes longer than most tests. */
export const directorySchema = "directory"

const tables = ["companies", "resellers", "credentials", "endpoints", "audit_log"]

/** Deletes the directory's rows without a record in the audit log. */
export const emptyDirectory = async (db: Connection): Promise<void> => {
  const deletions = tables.map((table) => `DELETE FROM ${directorySchema}.${table};`)
  const log = `ALTER TABLE ${directorySchema}.audit_log`
  const text = `DO $$ BEGIN
    SET LOCAL session_replication_role = replica;
    ${log} DISABLE TRIGGER append_only;
    ${deletions.join(" ")}
    ${log} ENABLE ALWAYS TRIGGER append_only;
  END $$`
  await db.query({ text, values: [] })
}

export const directorySuites = (name: string, db: Connection, owner = db): void => {
  const at = { db, schema: directorySchema }
  beforeAll(async () => void (await migrate(owner, { schema: directorySchema })))
  const directory = postgresDirectory({ ...at, ...secrets })
  const emptied = Effect.promise(() => emptyDirectory(owner))
  const make = Effect.andThen(emptied, directoryUnderTest(directory))
  companyDirectorySuite(name, make)
  callbackEndpointsSuite(name, make)
  directoryAdminSuite(name, make)
  directoryAuditSuite(name, () => Layer.unwrap(Effect.as(emptied, Layer.merge(directory, postgresStore(at)))))
}
