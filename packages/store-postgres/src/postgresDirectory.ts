import {
  type CallbackEndpoints,
  type CompanyDirectory,
  type Diagnosable,
  DirectoryAdmin,
  type DirectoryCacheOptions,
  hostDirectory,
} from "@pixcharge/core"
import type { HostCompany, HostEndpoint, KeyRing } from "@pixcharge/core/directory"
import { aList, anObject, aNumber, type OptionRules, required } from "@pixcharge/core/internal"
import * as Layer from "effect/Layer"
import type { Connection } from "./sql/Connection.ts"
import { makeDatabase, type Row } from "./sql/Database.ts"
import type { SchemaSql } from "./sql/Sql.ts"
import { textIn } from "./sql/values.ts"
import { diagnoseRights } from "./upkeep/diagnoseDatabase.ts"
import { checkConnection, prepare, type ReadyOptions, readyRules, type StoreNotReady } from "./schema/ready.ts"
import { directoryRights } from "./schema/rights.ts"
import { schemaName } from "./sql/SchemaName.ts"
import {
  findCompanyByCnpj,
  findCompanyByPixKey,
  findEndpoint,
  findEndpoints,
  setEndpointStatus,
} from "./directory/directory.sql.ts"
import { checkRing, makeSeal, type Seal, SealingKeyMissing } from "./directory/keys.ts"
import { makeDirectoryAdmin } from "./directory/PostgresDirectoryAdmin.ts"

/** Options of `postgresDirectory`. */
export interface PostgresDirectoryOptions extends ReadyOptions, Pick<DirectoryCacheOptions, "maxAgeMs"> {
  /** The host's connection, as for `postgresStore`. */
  readonly db: Connection
  /**
   * The keys for digests of integrator keys: the first makes new digests, all can check one. Someone who can read the database
   * but lacks these keys can neither read an integrator key nor check a guess.
   */
  readonly pepper: KeyRing
  /** The keys that seal callbacks' secrets. Required once there is a callback. */
  readonly sealingKey?: KeyRing
}

const rules: OptionRules<PostgresDirectoryOptions> = {
  ...readyRules,
  pepper: required(aList("keys, as { kid, secret }", anObject.holds)),
  sealingKey: aList("keys, as { kid, secret }", anObject.holds),
  maxAgeMs: aNumber(0, 60_000),
}

/** A Layer with a method to clear its cache. */
export interface PostgresDirectory
  extends Layer.Layer<CompanyDirectory | CallbackEndpoints | DirectoryAdmin, StoreNotReady>, Diagnosable {
  /** Makes this process read the tables again. Call it after another program changed them. */
  readonly invalidate: () => void
}

const endpointFromRow = (row: Row, seal: Seal | undefined): HostEndpoint => {
  if (seal === undefined) {
    throw new SealingKeyMissing({
      message: "postgresDirectory needs the sealingKey that sealed the callbacks' secrets.",
    })
  }
  const id = textIn(row, "id")
  const sealed = { kid: textIn(row, "kid"), text: textIn(row, "sealed_secrets") }
  return {
    id,
    url: textIn(row, "url"),
    secrets: JSON.parse(seal.open(sealed, id)) as HostEndpoint["secrets"],
    kinds: JSON.parse(textIn(row, "kinds")) as NonNullable<HostEndpoint["kinds"]>,
    status: textIn(row, "status") as NonNullable<HostEndpoint["status"]>,
  }
}

/**
 * Companies, resellers, their keys and callbacks on Postgres, cached for at most `maxAgeMs` (by default 5 000).
 *
 * Throws `InvalidOption`, also for an invalid key ring (such as one with a secret shorter than 32 bytes), and
 * `InvalidSchemaName`.
 */
export const postgresDirectory = (options: PostgresDirectoryOptions): PostgresDirectory => {
  checkConnection("postgresDirectory", options, rules)
  const { db, pepper, sealingKey, maxAgeMs, ...readiness } = options
  checkRing("pepper", pepper)
  if (sealingKey !== undefined) checkRing("sealingKey", sealingKey)
  const seal = sealingKey === undefined ? undefined : makeSeal(sealingKey)
  const schema = schemaName(options.schema)
  const database = makeDatabase(db, schema)
  const { read } = database

  const company = (statement: SchemaSql) => async (by: string) => {
    const [row] = await read(statement, [by])
    return row && (JSON.parse(textIn(row, "company")) as HostCompany)
  }

  const host = hostDirectory({
    pepper,
    ...(maxAgeMs !== undefined && { maxAgeMs }),
    companies: { find: company(findCompanyByCnpj), byPixKey: company(findCompanyByPixKey) },
    endpoints: {
      forCompany: async (cnpj) => (await read(findEndpoints, [cnpj])).map((row) => endpointFromRow(row, seal)),
      find: async (endpointId) => {
        const [row] = await read(findEndpoint, [endpointId])
        return row && endpointFromRow(row, seal)
      },
      setStatus: async (endpointId, status, by) => {
        await read(setEndpointStatus, [endpointId, status, by ?? null])
      },
    },
  })
  const admin = Layer.succeed(DirectoryAdmin, makeDirectoryAdmin(database, { pepper, seal }, host.invalidate))
  const booted = Layer.effectDiscard(prepare(db, readiness, directoryRights))
  return Object.assign(Layer.provide(Layer.merge(host, admin), booted), {
    invalidate: host.invalidate,
    diagnose: async () => [await diagnoseRights(db, schema, directoryRights, { check: "rights to companies" })],
  })
}
