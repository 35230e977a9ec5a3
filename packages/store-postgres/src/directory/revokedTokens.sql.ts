import { repeatable } from "../sql/Sql.ts"

/** Keeps token $1 as revoked until $2, and forgets those that were revoked until $3 or earlier; in seconds since the epoch. */
export const revokeToken = repeatable(`
WITH forgotten AS (
  DELETE FROM @.revoked_tokens WHERE id IN (
    SELECT id FROM @.revoked_tokens WHERE until <= to_timestamp($3) AND id <> $1 FOR UPDATE SKIP LOCKED
  )
)
INSERT INTO @.revoked_tokens AS r (id, until) VALUES ($1, to_timestamp($2))
ON CONFLICT (id) DO UPDATE SET until = greatest(r.until, excluded.until)`)

/** The tokens that are revoked until later than $1, in seconds since the epoch. */
export const listRevokedTokens = repeatable(`SELECT id FROM @.revoked_tokens WHERE until > to_timestamp($1)`)
