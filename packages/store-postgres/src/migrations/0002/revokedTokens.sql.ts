import type { SchemaName } from "../../SchemaName.ts"

/** Tokens that were revoked one by one: a few rows, all of which are read at once. */
export const revokedTokens = (schema: SchemaName): string => `
CREATE TABLE ${schema}.revoked_tokens (
  id                   text COLLATE "C" NOT NULL PRIMARY KEY,
  -- When it has ended by itself.
  until                timestamptz NOT NULL
);
`
