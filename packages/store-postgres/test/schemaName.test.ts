import {
  migrate,
  postgresDirectory,
  postgresStore,
  printMigrations,
  type StoreNotReady,
} from "@pixcharge/store-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { defaultSchema, schemaName } from "../src/sql/SchemaName.ts"

const queries: Array<unknown> = []
const db = {
  query: async (query: unknown) => {
    queries.push(query)
    return { rows: [] }
  },
}
const pepper = [{ kid: "1", secret: "a pepper of thirty-two bytes or more" }] as const

const buildStore = async <A>(store: Layer.Layer<A, StoreNotReady>): Promise<void> => {
  const failure = await Effect.runPromise(Effect.scoped(Effect.flip(Layer.build(store))))
  throw failure.cause
}

const ways: Readonly<Record<string, (schema: never) => unknown>> = {
  postgresStore: (schema) => buildStore(postgresStore({ db, schema })),
  postgresDirectory: (schema) => postgresDirectory({ db, schema, pepper }),
  migrate: (schema) => migrate(db, { schema }),
  printMigrations: (schema) => printMigrations({ schema }),
}

describe.each(Object.entries(ways))("a schema of %s", (_, use) => {
  it.each([
    "pg_catalog",
    "information_schema",
    "public",
    "pg_toast",
    "pg_temp_3",
    "pg_",
    "PUBLIC",
    "",
    "1a",
    "a-b",
    ["loja"],
    7,
  ])("can't be named %j, and the name is refused before any statement", async (schema) => {
    const attempt = async () => use(schema as never)
    await expect(attempt()).rejects.toMatchObject({ _tag: expect.stringMatching(/^Invalid(SchemaName|Option)$/) })
    expect(queries).toEqual([])
  })
})

it.each([defaultSchema, "pix_public", "pgx", "_loja", "information_schema2"])("a schema can be named %s", (schema) => {
  expect(schemaName(schema)).toBe(`"${schema}"`)
  expect(schemaName()).toBe('"pixcharge"')
  expect(schemaName("a".repeat(31))).toBe(`"${"a".repeat(31)}"`)
  expect(() => schemaName("a".repeat(32))).toThrow(
    "The option schema must have 1 to 31 characters from a to z, 0 to 9 and _. It must not start with a digit or pg_, and must not be public or information_schema.",
  )
})
