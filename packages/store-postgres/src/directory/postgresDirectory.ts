import {
  type CallbackEndpoints,
  type CompanyDirectory,
  DirectoryAdmin,
  type DirectoryCacheOptions,
  type HostCompany,
  hostDirectory,
  type HostEndpoint,
} from "@pixcharge/core"
import * as Layer from "effect/Layer"
import type { Connection } from "../Connection.ts"
import { makeDatabase, type Row } from "../database/Database.ts"
import type { SchemaSql } from "../database/Sql.ts"
import { textIn } from "../database/values.ts"
import { ready, type ReadyOptions, type StoreNotReady } from "../ready.ts"
import { schemaName } from "../SchemaName.ts"
import {
  findCompanyByCnpj,
  findCompanyByPixKey,
  findEndpoint,
  findEndpoints,
  setEndpointStatus,
} from "./directory.sql.ts"
import { checkSecret, makeSeal, type Seal } from "./keys.ts"
import { makeDirectoryAdmin } from "./PostgresDirectoryAdmin.ts"

/** What `postgresDirectory` takes. */
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

/** The Layer that a host passes on, and a handle on what it remembers. */
export interface PostgresDirectory extends Layer.Layer<
  CompanyDirectory | CallbackEndpoints | DirectoryAdmin,
  StoreNotReady
> {
  /** To be called after the tables were changed by other means, so that this process sees it at once. */
  readonly invalidate: () => void
}

/** An endpoint with its secrets; throws if they can't be opened. */
const endpointFromRow = (row: Row, seal: Seal | undefined): HostEndpoint => {
  if (seal === undefined) {
    throw new RangeError("postgresDirectory needs the sealingKey that the callbacks were kept with")
  }
  const id = textIn(row, "id")
  return {
    id,
    url: textIn(row, "url"),
    secrets: JSON.parse(seal.open(textIn(row, "sealed_secrets"), id)) as HostEndpoint["secrets"],
    kinds: JSON.parse(textIn(row, "kinds")) as NonNullable<HostEndpoint["kinds"]>,
    status: textIn(row, "status") as NonNullable<HostEndpoint["status"]>,
  }
}

/**
 * Companies, resellers, their keys and callbacks on Postgres, remembered for at most `maxAgeMs` (by default 5 000).
 *
 * Throws a RangeError for a secret that is too short and `InvalidSchemaName`.
 */
export const postgresDirectory = (options: PostgresDirectoryOptions): PostgresDirectory => {
  const { db, pepper, sealingKey, maxAgeMs, ...readiness } = options
  checkSecret("pepper", pepper)
  if (sealingKey !== undefined) checkSecret("sealingKey", sealingKey)
  const seal = sealingKey === undefined ? undefined : makeSeal(sealingKey)
  const database = makeDatabase(db, schemaName(options.schema))
  const { read } = database

  const company = (statement: SchemaSql) => async (by: string) => {
    const [row] = await read(statement, [by])
    return row && (JSON.parse(textIn(row, "company")) as HostCompany)
  }

  const host = hostDirectory({
    ...(maxAgeMs !== undefined && { maxAgeMs }),
    companies: { find: company(findCompanyByCnpj), byPixKey: company(findCompanyByPixKey) },
    endpoints: {
      forCompany: async (cnpj) => (await read(findEndpoints, [cnpj])).map((row) => endpointFromRow(row, seal)),
      find: async (endpointId) => {
        const [row] = await read(findEndpoint, [endpointId])
        return row && endpointFromRow(row, seal)
      },
      setStatus: async (endpointId, status) => {
        await read(setEndpointStatus, [endpointId, status])
      },
    },
  })
  const admin = Layer.succeed(DirectoryAdmin, makeDirectoryAdmin(database, { pepper, seal }, host.invalidate))
  const booted = Layer.effectDiscard(ready(db, readiness))
  return Object.assign(Layer.provide(Layer.merge(host, admin), booted), { invalidate: host.invalidate })
}
