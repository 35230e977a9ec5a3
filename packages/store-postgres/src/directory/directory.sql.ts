import { actorNamed } from "../audit/auditLog.sql.ts"
import { repeatable, type SchemaSql } from "../database/Sql.ts"

// A reseller that issues for itself need not name itself.
const itsReseller = "coalesce(c.reseller, c.cnpj)"

// Rows come as JSON in the shape in which the core reads them: `HostCompany`, `Reseller`.
const findCompany = (column: string): SchemaSql =>
  repeatable(`
SELECT json_strip_nulls(json_build_object(
  'cnpj', c.cnpj, 'name', c.name, 'city', c.city, 'pixKey', c.pix_key, 'walletActive', c.wallet_active,
  'ownBankDomicile', c.own_bank_domicile, 'graceDays', c.grace_days, 'fees', c.fees,
  'genericPayer', c.generic_payer, 'localHolidays', c.local_holidays,
  'integratorKey', CASE WHEN r.cnpj IS NULL THEN k.key END,
  'keyRegistration', CASE WHEN r.cnpj IS NULL THEN k.registration END,
  'reseller', CASE WHEN r.cnpj IS NOT NULL THEN json_build_object(
    'cnpj', r.cnpj, 'name', r.name, 'walletActive', r.wallet_active, 'associated', c.associated,
    'integratorKey', k.key, 'keyRegistration', k.registration
  ) END
))::text AS company
FROM @.companies c
LEFT JOIN @.resellers r ON r.cnpj = ${itsReseller}
LEFT JOIN LATERAL (
  SELECT json_build_object('kid', kid, 'hmac', hmac) AS key, registration
  FROM @.credentials
  WHERE holder = coalesce(r.cnpj, c.cnpj)
) k ON true
WHERE c.${column} = $1`)

export const findCompanyByCnpj = findCompany("cnpj")
export const findCompanyByPixKey = findCompany("pix_key")

export const findReseller = repeatable(`
SELECT json_build_object('cnpj', cnpj, 'name', name, 'walletActive', wallet_active)::text AS reseller
FROM @.resellers
WHERE cnpj = $1`)

const endpointColumns = "e.id, e.url, e.kid, e.sealed_secrets, e.kinds::text AS kinds, e.status"

/** The company's own endpoint, and its reseller's while it belongs to it. */
export const findEndpoints = repeatable(`
SELECT ${endpointColumns}
FROM @.companies c
JOIN @.endpoints e ON e.owner IN (c.cnpj, CASE WHEN c.associated THEN c.reseller END)
WHERE c.cnpj = $1
ORDER BY e.owner <> c.cnpj`)

export const findEndpoint = repeatable(`SELECT ${endpointColumns} FROM @.endpoints e WHERE e.id = $1`)

// Every change names its actor in its last value, and reads it, for the triggers that record what was changed.

export const setEndpointStatus = repeatable(`
WITH ${actorNamed("$3")}
UPDATE @.endpoints SET status = $2 FROM actor WHERE id = $1`)

const insertKey = "INSERT INTO @.credentials AS held (holder, kid, hmac, registration)"

/** The same key again is no other registration: it may come with each start of a host. */
const replaceKey = `ON CONFLICT (holder) DO UPDATE SET kid = excluded.kid, hmac = excluded.hmac, registration = CASE
  WHEN (held.kid, held.hmac) = (excluded.kid, excluded.hmac) THEN held.registration ELSE excluded.registration
END`

// What comes with a registration: a key or a callback that is not named stays as it was.
const withKeyAndCallback = `
credential AS (
  ${insertKey}
  SELECT n.cnpj, n.key ->> 'kid', n.key ->> 'hmac', n.key ->> 'registration' FROM n WHERE n.key IS NOT NULL
  ${replaceKey}
),
endpoint AS (
  INSERT INTO @.endpoints (id, owner, url, kid, sealed_secrets, kinds, status)
  SELECT n."endpointId", n.cnpj, n.url, n.sealed ->> 'kid', n.sealed ->> 'text', n.kinds, 'enabled'
  FROM n WHERE n.url IS NOT NULL
  ON CONFLICT (id) DO UPDATE SET
    url = excluded.url, kid = excluded.kid, sealed_secrets = excluded.sealed_secrets, kinds = excluded.kinds
)`

const keyAndCallback = 'key json, "endpointId" text, url text, sealed json, kinds json'

export const putReseller = repeatable(`
WITH ${actorNamed("$2")},
n AS MATERIALIZED (
  SELECT n.* FROM actor, json_to_record($1::json) AS n (cnpj text, name text, "walletActive" boolean, ${keyAndCallback})
),
${withKeyAndCallback}
INSERT INTO @.resellers (cnpj, name, wallet_active)
SELECT cnpj, name, "walletActive" FROM n
ON CONFLICT (cnpj) DO UPDATE SET name = excluded.name, wallet_active = excluded.wallet_active`)

export const putCompany = repeatable(`
WITH ${actorNamed("$2")},
n AS MATERIALIZED (
  SELECT n.* FROM actor, json_to_record($1::json) AS n (
    cnpj text, name text, city text, "pixKey" text, "walletActive" boolean, "ownBankDomicile" boolean,
    "graceDays" integer, fees json, "genericPayer" json, "localHolidays" json, reseller text, associated boolean,
    ${keyAndCallback}
  )
),
${withKeyAndCallback}
INSERT INTO @.companies (
  cnpj, name, city, pix_key, wallet_active, own_bank_domicile, grace_days,
  fees, generic_payer, local_holidays, reseller, associated
)
SELECT
  cnpj, name, city, "pixKey", "walletActive", "ownBankDomicile", "graceDays",
  fees, "genericPayer", "localHolidays", reseller, associated
FROM n
ON CONFLICT (cnpj) DO UPDATE SET
  name = excluded.name, city = excluded.city, pix_key = excluded.pix_key, wallet_active = excluded.wallet_active,
  own_bank_domicile = excluded.own_bank_domicile, grace_days = excluded.grace_days, fees = excluded.fees,
  generic_payer = excluded.generic_payer, local_holidays = excluded.local_holidays,
  reseller = excluded.reseller, associated = excluded.associated`)

/** Returns a row if the holder has a key. */
export const findCredential = repeatable(`SELECT holder FROM @.credentials WHERE holder = $1`)

/** Gives a reseller, or a company of no other reseller, another key; returns a row if it did. */
export const putKey = repeatable(`
WITH ${actorNamed("$5")}
${insertKey}
SELECT $1::text, $2::text, $3::text, $4::text FROM actor
WHERE EXISTS (SELECT 1 FROM @.resellers WHERE cnpj = $1)
  OR EXISTS (SELECT 1 FROM @.companies c WHERE c.cnpj = $1 AND ${itsReseller} = c.cnpj)
${replaceKey}
RETURNING holder`)

/** Takes away the key of a reseller or company; returns a row for each of the two that is registered. */
export const removeKey = repeatable(`
WITH ${actorNamed("$2")},
removed AS (DELETE FROM @.credentials USING actor WHERE holder = $1)
SELECT cnpj FROM @.resellers WHERE cnpj = $1 UNION ALL SELECT cnpj FROM @.companies WHERE cnpj = $1`)

/** Returns a row if the company is registered. */
export const setAssociated = repeatable(`
WITH ${actorNamed("$3")}
UPDATE @.companies SET associated = $2 FROM actor WHERE cnpj = $1 RETURNING cnpj`)

/** Switches the wallet of whoever has this CNPJ, reseller, company or both; returns a row for each. */
export const setWallet = repeatable(`
WITH ${actorNamed("$3")},
reseller AS (UPDATE @.resellers SET wallet_active = $2 FROM actor WHERE cnpj = $1 RETURNING cnpj),
company AS (UPDATE @.companies SET wallet_active = $2 FROM actor WHERE cnpj = $1 RETURNING cnpj)
SELECT cnpj FROM reseller UNION ALL SELECT cnpj FROM company`)

export const removeCallback = repeatable(`
WITH ${actorNamed("$2")}
DELETE FROM @.endpoints USING actor WHERE owner = $1`)
