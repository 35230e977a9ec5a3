import { RevokedTokens } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { Database } from "../sql/Database.ts"
import { repeatable } from "../sql/Sql.ts"
import { textIn, toSeconds } from "../sql/values.ts"

export const makeRevokedTokens = ({ query }: Database): RevokedTokens["Service"] =>
  RevokedTokens.of({
    revoke: ({ id, until, now }) =>
      Effect.asVoid(query("revokeToken", revokeToken, [id, toSeconds(until), toSeconds(now)])),
    list: (now) =>
      Effect.map(query("listRevokedTokens", listRevokedTokens, [toSeconds(now)]), (rows) =>
        rows.map((row) => textIn(row, "id")),
      ),
  })

/** Keeps token $1 as revoked until $2, and deletes tokens revoked until $3 or earlier. Times are in seconds since the epoch. */
export const revokeToken = repeatable(`
WITH forgotten AS (
  DELETE FROM @.revoked_tokens WHERE id IN (
    SELECT id FROM @.revoked_tokens WHERE until <= to_timestamp($3) AND id <> $1 FOR UPDATE SKIP LOCKED
  )
)
INSERT INTO @.revoked_tokens AS r (id, until) VALUES ($1, to_timestamp($2))
ON CONFLICT (id) DO UPDATE SET until = greatest(r.until, excluded.until)`)

/** $1 is now, in seconds since the epoch. */
export const listRevokedTokens = repeatable(`SELECT id FROM @.revoked_tokens WHERE until > to_timestamp($1)`)
