import {
  type CallbackEndpoints,
  type CompanyDirectory,
  type DirectoryCacheOptions,
  hostDirectory,
  type RegisteredCompany,
} from "@pixcharge/core"
import * as Layer from "effect/Layer"
import type { Connection } from "../Connection.ts"
import { makeDatabase, type Row, type Sql } from "../database/Database.ts"
import { migrate } from "../migrations/migrate.ts"
import { ready, type ReadyOptions, type StoreNotReady } from "../ready.ts"
import { schemaName } from "../SchemaName.ts"
import {
  endpointsOf,
  findCompanyByCnpj,
  findCompanyByPixKey,
  findEndpoint,
  setEndpointStatus,
} from "./directory.sql.ts"
import { checkSecret, makeSeal } from "./keys.ts"
import { makeRegistrar, type Registrar } from "./Registrar.ts"
import { registeredCompanyOf, registeredEndpointOf } from "./RegistrationRow.ts"

export interface PostgresDirectoryOptions extends ReadyOptions, Pick<DirectoryCacheOptions, "maxAgeMs"> {
  readonly db: Connection
  /**
   * The secret under which integrator keys are digested, at least 32 bytes; whoever checks keys needs the same one. A
   * key can't be read back from the database, and can't be tried against it without this.
   */
  readonly pepper: string
  /** The secret that seals the secrets of callbacks, at least 32 bytes; needed once there is a callback. */
  readonly sealingKey?: string
}

/** The Layer that a host passes on, and the functions by which registrations are changed. */
export interface PostgresDirectory extends Layer.Layer<CompanyDirectory | CallbackEndpoints, StoreNotReady>, Registrar {
  /** To be called after the tables were changed by other means, so that this process sees it at once. */
  readonly invalidate: () => void
}

/**
 * Companies, resellers, their keys and callbacks on Postgres, remembered for at most `maxAgeMs` (5 000).
 *
 * Throws a RangeError for a secret that is too short and `InvalidSchemaName`.
 */
export const postgresDirectory = (options: PostgresDirectoryOptions): PostgresDirectory => {
  const { db, pepper, sealingKey, maxAgeMs, ...readiness } = options
  checkSecret("pepper", pepper)
  if (sealingKey !== undefined) checkSecret("sealingKey", sealingKey)
  const seal = sealingKey === undefined ? undefined : makeSeal(sealingKey)
  const database = makeDatabase(db, schemaName(options.schema))
  const { schema } = database

  const rows = async (statement: Sql, values: Array<unknown>): Promise<ReadonlyArray<Row>> =>
    (await database.run(statement, values)).rows
  const company =
    (statement: Sql) =>
    async (by: string): Promise<RegisteredCompany | undefined> => {
      const [row] = await rows(statement, [by])
      return row && registeredCompanyOf(row)
    }

  const host = hostDirectory({
    ...(maxAgeMs !== undefined && { maxAgeMs }),
    companies: { find: company(findCompanyByCnpj(schema)), byPixKey: company(findCompanyByPixKey(schema)) },
    endpoints: {
      of: async (cnpj) => (await rows(endpointsOf(schema), [cnpj])).map((row) => registeredEndpointOf(row, seal)),
      find: async (endpointId) => {
        const [row] = await rows(findEndpoint(schema), [endpointId])
        return row && registeredEndpointOf(row, seal)
      },
      setStatus: async (endpointId, status) => {
        await rows(setEndpointStatus(schema), [endpointId, status])
      },
    },
  })

  // A registration may be written before the layer is built, and then finds its tables.
  let prepared: Promise<unknown> | undefined
  const registrar = makeRegistrar(database, { pepper, seal }, async (change) => {
    if (readiness.migrations !== "check") {
      prepared ??= migrate(db, options)
      await prepared.catch((error: unknown) => {
        prepared = undefined
        throw error
      })
    }
    try {
      return await change()
    } finally {
      host.invalidate()
    }
  })
  const booted = Layer.effectDiscard(ready(db, readiness))
  return Object.assign(Layer.provide(host, booted), { ...registrar, invalidate: host.invalidate })
}
