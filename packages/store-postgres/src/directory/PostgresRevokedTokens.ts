import { RevokedTokens } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { Database } from "../sql/Database.ts"
import { textIn, toSeconds } from "../sql/values.ts"
import { listRevokedTokens, revokeToken } from "./revokedTokens.sql.ts"

/** Revoked tokens, on Postgres. */
export const makeRevokedTokens = ({ query }: Database): RevokedTokens["Service"] =>
  RevokedTokens.of({
    revoke: ({ id, until, now }) =>
      Effect.asVoid(query("revokeToken", revokeToken, [id, toSeconds(until), toSeconds(now)])),
    list: (now) =>
      Effect.map(query("listRevokedTokens", listRevokedTokens, [toSeconds(now)]), (rows) =>
        rows.map((row) => textIn(row, "id")),
      ),
  })
