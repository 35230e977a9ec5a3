import { type Sql, sql } from "../database/Database.ts"
import type { SchemaName } from "../SchemaName.ts"

// A reseller that issues for itself need not name itself.
const itsReseller = "coalesce(c.reseller, c.cnpj)"

const findCompany = (schema: SchemaName, column: string): Sql =>
  sql(
    `
SELECT
  c.cnpj, c.name, c.city, c.pix_key, c.wallet_active, c.own_bank_domicile, c.grace_days,
  c.fees::text AS fees, c.generic_payer::text AS generic_payer, c.local_holidays::text AS local_holidays,
  c.associated, r.cnpj AS reseller_cnpj, r.name AS reseller_name, r.wallet_active AS reseller_wallet_active,
  k.version AS key_version, k.hmac AS key_hmac
FROM ${schema}.companies c
LEFT JOIN ${schema}.resellers r ON r.cnpj = ${itsReseller}
LEFT JOIN ${schema}.credentials k ON k.holder = coalesce(r.cnpj, c.cnpj)
WHERE c.${column} = $1`,
    { repeatable: true },
  )

export const findCompanyByCnpj = (schema: SchemaName): Sql => findCompany(schema, "cnpj")
export const findCompanyByPixKey = (schema: SchemaName): Sql => findCompany(schema, "pix_key")

export const findReseller = (schema: SchemaName): Sql =>
  sql(`SELECT cnpj, name, wallet_active FROM ${schema}.resellers WHERE cnpj = $1`, { repeatable: true })

const endpointColumns = "e.id, e.owner, e.url, e.sealed_secrets, e.kinds::text AS kinds, e.status"

/** The company's own endpoint, and its reseller's while it belongs to it. */
export const endpointsOf = (schema: SchemaName): Sql =>
  sql(
    `
SELECT ${endpointColumns}
FROM ${schema}.companies c
JOIN ${schema}.endpoints e ON e.owner IN (c.cnpj, CASE WHEN c.associated THEN c.reseller END)
WHERE c.cnpj = $1
ORDER BY e.owner <> c.cnpj`,
    { repeatable: true },
  )

export const findEndpoint = (schema: SchemaName): Sql =>
  sql(`SELECT ${endpointColumns} FROM ${schema}.endpoints e WHERE e.id = $1`, { repeatable: true })

export const setEndpointStatus = (schema: SchemaName): Sql =>
  sql(`UPDATE ${schema}.endpoints SET status = $2 WHERE id = $1`, { repeatable: true })

// What comes with a registration: a key or a callback that is not named stays as it was.
const withKeyAndCallback = (schema: SchemaName): string => `
credential AS (
  INSERT INTO ${schema}.credentials AS k (holder, version, hmac)
  SELECT n.cnpj, 1, n.hmac FROM n WHERE n.hmac IS NOT NULL
  ON CONFLICT (holder) DO UPDATE SET
    version = k.version + (k.hmac IS DISTINCT FROM excluded.hmac)::integer, hmac = excluded.hmac
),
endpoint AS (
  INSERT INTO ${schema}.endpoints (id, owner, url, sealed_secrets, kinds, status)
  SELECT n.endpoint_id, n.cnpj, n.url, n.sealed_secrets, n.kinds, 'enabled' FROM n WHERE n.url IS NOT NULL
  ON CONFLICT (id) DO UPDATE SET
    url = excluded.url, sealed_secrets = excluded.sealed_secrets, kinds = excluded.kinds
)`

const keyAndCallback = "hmac text, endpoint_id text, url text, sealed_secrets text, kinds json"

export const putReseller = (schema: SchemaName): Sql =>
  sql(
    `
WITH n AS MATERIALIZED (
  SELECT * FROM json_to_record($1::json) AS n (cnpj text, name text, wallet_active boolean, ${keyAndCallback})
),
${withKeyAndCallback(schema)}
INSERT INTO ${schema}.resellers (cnpj, name, wallet_active)
SELECT cnpj, name, wallet_active FROM n
ON CONFLICT (cnpj) DO UPDATE SET name = excluded.name, wallet_active = excluded.wallet_active`,
    { repeatable: true },
  )

export const putCompany = (schema: SchemaName): Sql =>
  sql(
    `
WITH n AS MATERIALIZED (
  SELECT * FROM json_to_record($1::json) AS n (
    cnpj text, name text, city text, pix_key text, wallet_active boolean, own_bank_domicile boolean,
    grace_days integer, fees json, generic_payer json, local_holidays json, reseller text, associated boolean,
    ${keyAndCallback}
  )
),
${withKeyAndCallback(schema)}
INSERT INTO ${schema}.companies (
  cnpj, name, city, pix_key, wallet_active, own_bank_domicile, grace_days,
  fees, generic_payer, local_holidays, reseller, associated
)
SELECT
  cnpj, name, city, pix_key, wallet_active, own_bank_domicile, grace_days,
  fees, generic_payer, local_holidays, reseller, associated
FROM n
ON CONFLICT (cnpj) DO UPDATE SET
  name = excluded.name, city = excluded.city, pix_key = excluded.pix_key, wallet_active = excluded.wallet_active,
  own_bank_domicile = excluded.own_bank_domicile, grace_days = excluded.grace_days, fees = excluded.fees,
  generic_payer = excluded.generic_payer, local_holidays = excluded.local_holidays,
  reseller = excluded.reseller, associated = excluded.associated`,
    { repeatable: true },
  )

/** Gives a registered holder its next key, or with a null none; answers with a row if the holder is registered. */
export const putKey = (schema: SchemaName): Sql =>
  sql(
    `
INSERT INTO ${schema}.credentials AS k (holder, version, hmac)
SELECT $1::text, 1, $2::text
WHERE EXISTS (SELECT 1 FROM ${schema}.resellers WHERE cnpj = $1)
  OR EXISTS (SELECT 1 FROM ${schema}.companies WHERE cnpj = $1)
ON CONFLICT (holder) DO UPDATE SET
  version = k.version + (k.hmac IS DISTINCT FROM excluded.hmac)::integer, hmac = excluded.hmac
RETURNING k.version`,
    { repeatable: true },
  )

/** Answers with a row if the company is registered. */
export const setAssociated = (schema: SchemaName): Sql =>
  sql(`UPDATE ${schema}.companies SET associated = $2 WHERE cnpj = $1 RETURNING cnpj`, { repeatable: true })

/** Switches the wallet of whoever has this CNPJ, reseller, company or both; answers with a row for each. */
export const setWallet = (schema: SchemaName): Sql =>
  sql(
    `
WITH reseller AS (UPDATE ${schema}.resellers SET wallet_active = $2 WHERE cnpj = $1 RETURNING cnpj),
company AS (UPDATE ${schema}.companies SET wallet_active = $2 WHERE cnpj = $1 RETURNING cnpj)
SELECT cnpj FROM reseller UNION ALL SELECT cnpj FROM company`,
    { repeatable: true },
  )

export const removeCallback = (schema: SchemaName): Sql =>
  sql(`DELETE FROM ${schema}.endpoints WHERE owner = $1`, { repeatable: true })
