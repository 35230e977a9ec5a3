import type { SchemaName } from "../../SchemaName.ts"

/**
 * Names the registration of a key, so that one that was revoked and is registered again revives no token. Those that are
 * registered have none, and their tokens go on; a release that knows nothing of it goes on, too.
 */
export const keyRegistrations = (schema: SchemaName): string => `
ALTER TABLE ${schema}.credentials ADD COLUMN registration text COLLATE "C";
`
