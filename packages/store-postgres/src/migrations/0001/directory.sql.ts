import type { SchemaName } from "../../SchemaName.ts"

/** Who issues, with which key, and where events go. Small tables, which Citus would hold as reference tables. */
export const directory = (schema: SchemaName): string => `
CREATE TABLE ${schema}.resellers (
  cnpj                 text COLLATE "C" NOT NULL PRIMARY KEY,
  name                 text NOT NULL,
  wallet_active        boolean NOT NULL
);

CREATE TABLE ${schema}.companies (
  cnpj                 text COLLATE "C" NOT NULL PRIMARY KEY,
  name                 text NOT NULL,
  city                 text NOT NULL,
  pix_key              text COLLATE "C" NOT NULL,
  wallet_active        boolean NOT NULL,
  own_bank_domicile    boolean NOT NULL,
  grace_days           integer NOT NULL,
  fees                 json,
  generic_payer        json,
  local_holidays       json,
  reseller             text COLLATE "C",
  associated           boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX companies_by_pix_key ON ${schema}.companies (pix_key);
CREATE INDEX companies_by_reseller ON ${schema}.companies (reseller) WHERE reseller IS NOT NULL;

CREATE TABLE ${schema}.credentials (
  -- The company or reseller whose key it is.
  holder               text COLLATE "C" NOT NULL PRIMARY KEY,
  version              integer NOT NULL,
  -- HMAC-SHA256 of the key under the host's pepper, in hexadecimal; absent once the key was revoked.
  hmac                 text
);

CREATE TABLE ${schema}.endpoints (
  id                   text COLLATE "C" NOT NULL PRIMARY KEY,
  -- The company or reseller whose endpoint it is.
  owner                text COLLATE "C" NOT NULL,
  url                  text NOT NULL,
  -- The secrets, sealed with the host's key and bound to this endpoint's id.
  sealed_secrets       text NOT NULL,
  kinds                json NOT NULL,
  status               text NOT NULL
);
CREATE INDEX endpoints_by_owner ON ${schema}.endpoints (owner);
`
