import { setActor } from "../reports/PostgresAuditLog.ts"
import { repeatable, type SchemaSql } from "../sql/Sql.ts"

// A company without `reseller` can itself be a reseller.
const resellerCnpj = "coalesce(c.reseller, c.cnpj)"

// Rows are JSON, in the shapes that the core reads: `HostCompany`, `Reseller`.
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
LEFT JOIN @.resellers r ON r.cnpj = ${resellerCnpj}
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

/** The company's endpoint, and its reseller's endpoint while the two are associated. */
export const findEndpoints = repeatable(`
SELECT ${endpointColumns}
FROM @.companies c
JOIN @.endpoints e ON e.owner IN (c.cnpj, CASE WHEN c.associated THEN c.reseller END)
WHERE c.cnpj = $1
ORDER BY e.owner <> c.cnpj`)

export const findEndpoint = repeatable(`SELECT ${endpointColumns} FROM @.endpoints e WHERE e.id = $1`)

// The last value of every change is its actor, which the audit triggers record.

export const setEndpointStatus = repeatable(`
WITH ${setActor("$3")}
UPDATE @.endpoints SET status = $2 FROM actor WHERE id = $1`)

const insertCredential = "INSERT INTO @.credentials AS held (holder, kid, hmac, registration)"

/** An unchanged key keeps its registration, because a host can set the same key at each start. */
const replaceCredential = `ON CONFLICT (holder) DO UPDATE SET kid = excluded.kid, hmac = excluded.hmac, registration = CASE
  WHEN (held.kid, held.hmac) = (excluded.kid, excluded.hmac) THEN held.registration ELSE excluded.registration
END`

const putKeyAndCallback = `
credential AS (
  ${insertCredential}
  SELECT n.cnpj, n.key ->> 'kid', n.key ->> 'hmac', n.key ->> 'registration' FROM n WHERE n.key IS NOT NULL
  ${replaceCredential}
),
endpoint AS (
  INSERT INTO @.endpoints (id, owner, url, kid, sealed_secrets, kinds, status)
  SELECT n."endpointId", n.cnpj, n.url, n.sealed ->> 'kid', n.sealed ->> 'text', n.kinds, 'enabled'
  FROM n WHERE n.url IS NOT NULL
  ON CONFLICT (id) DO UPDATE SET
    url = excluded.url, kid = excluded.kid, sealed_secrets = excluded.sealed_secrets, kinds = excluded.kinds
)`

const keyAndCallbackColumns = 'key json, "endpointId" text, url text, sealed json, kinds json'

export const putReseller = repeatable(`
WITH ${setActor("$2")},
n AS MATERIALIZED (
  SELECT n.* FROM actor, json_to_record($1::json) AS n (cnpj text, name text, "walletActive" boolean, ${keyAndCallbackColumns})
),
${putKeyAndCallback}
INSERT INTO @.resellers (cnpj, name, wallet_active)
SELECT cnpj, name, "walletActive" FROM n
ON CONFLICT (cnpj) DO UPDATE SET name = excluded.name, wallet_active = excluded.wallet_active`)

export const putCompany = repeatable(`
WITH ${setActor("$2")},
n AS MATERIALIZED (
  SELECT n.* FROM actor, json_to_record($1::json) AS n (
    cnpj text, name text, city text, "pixKey" text, "walletActive" boolean, "ownBankDomicile" boolean,
    "graceDays" integer, fees json, "genericPayer" json, "localHolidays" json, reseller text, associated boolean,
    ${keyAndCallbackColumns}
  )
),
${putKeyAndCallback}
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

export const findCredential = repeatable(`SELECT holder FROM @.credentials WHERE holder = $1`)

/** Sets the key of a reseller, or of a company without a reseller; returns a row if it set the key. */
export const putKey = repeatable(`
WITH ${setActor("$5")}
${insertCredential}
SELECT $1::text, $2::text, $3::text, $4::text FROM actor
WHERE EXISTS (SELECT 1 FROM @.resellers WHERE cnpj = $1)
  OR EXISTS (SELECT 1 FROM @.companies c WHERE c.cnpj = $1 AND ${resellerCnpj} = c.cnpj)
${replaceCredential}
RETURNING holder`)

export const removeKey = repeatable(`
WITH ${setActor("$2")},
removed AS (DELETE FROM @.credentials USING actor WHERE holder = $1)
SELECT cnpj FROM @.resellers WHERE cnpj = $1 UNION ALL SELECT cnpj FROM @.companies WHERE cnpj = $1`)

export const setAssociated = repeatable(`
WITH ${setActor("$3")}
UPDATE @.companies SET associated = $2 FROM actor WHERE cnpj = $1 RETURNING cnpj`)

export const setWallet = repeatable(`
WITH ${setActor("$3")},
reseller AS (UPDATE @.resellers SET wallet_active = $2 FROM actor WHERE cnpj = $1 RETURNING cnpj),
company AS (UPDATE @.companies SET wallet_active = $2 FROM actor WHERE cnpj = $1 RETURNING cnpj)
SELECT cnpj FROM reseller UNION ALL SELECT cnpj FROM company`)

export const removeCallback = repeatable(`
WITH ${setActor("$2")}
DELETE FROM @.endpoints USING actor WHERE owner = $1`)
