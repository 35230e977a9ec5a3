/** The tables of the directory. They are small: on Citus, each node has a copy. */
export const directoryTables = `
CREATE TABLE @.resellers (
  cnpj                 text COLLATE "C" NOT NULL PRIMARY KEY,
  name                 text NOT NULL,
  wallet_active        boolean NOT NULL
);

CREATE TABLE @.companies (
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

CREATE TABLE @.credentials (
  -- The company or reseller whose key it is.
  holder               text COLLATE "C" NOT NULL PRIMARY KEY,
  -- The pepper's.
  kid                  text NOT NULL,
  -- HMAC-SHA256 of holder and key under the pepper, in hexadecimal.
  hmac                 text NOT NULL,
  -- Names this registration of the key: one that was revoked and is registered again revives no token.
  registration         text COLLATE "C" NOT NULL
);

CREATE TABLE @.endpoints (
  id                   text COLLATE "C" NOT NULL PRIMARY KEY,
  -- The company or reseller whose endpoint it is.
  owner                text COLLATE "C" NOT NULL,
  url                  text NOT NULL,
  -- The sealing key's.
  kid                  text NOT NULL,
  -- The secrets, sealed with that key and bound to this endpoint's id.
  sealed_secrets       text NOT NULL,
  kinds                json NOT NULL,
  status               text NOT NULL
);

-- Tokens that were revoked one by one: a few rows, all of which are read at once.
CREATE TABLE @.revoked_tokens (
  id                   text COLLATE "C" NOT NULL PRIMARY KEY,
  -- When it has ended by itself.
  until                timestamptz NOT NULL
);
`
