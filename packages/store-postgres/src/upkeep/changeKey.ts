import { Actor } from "@pixcharge/core"
import { type KeyRing, keyRingFlaw } from "@pixcharge/core/directory"
import { normalizeTaxId } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Connection } from "../sql/Connection.ts"
import { makeDatabase } from "../sql/Database.ts"
import { findCredential } from "../directory/directory.sql.ts"
import { makeDirectoryAdmin } from "../directory/PostgresDirectoryAdmin.ts"
import { checkSchema, type SchemaOptions } from "../schema/migrate.ts"
import { schemaName } from "../sql/SchemaName.ts"

type KeyAction = "make" | "rotate" | "revoke"

export const isKeyAction = (text: string): text is KeyAction => ["make", "rotate", "revoke"].includes(text)

export interface KeyChange extends SchemaOptions {
  readonly action: KeyAction
  readonly cnpj: string
  /** The newest pepper as `<kid>:<secret>`; only a new key needs it. */
  readonly pepper: string | undefined
}

const parsePepper = (text: string | undefined): KeyRing => {
  const [, kid = "", secret = ""] = /^([^:]+):(.+)$/.exec(text ?? "") ?? []
  const ring: KeyRing = [{ kid, secret }]
  if (secret === "") throw new Error("set PIXCHARGE_PEPPER to the newest pepper, as <kid>:<secret>")
  const flaw = keyRingFlaw("PIXCHARGE_PEPPER", ring)
  if (flaw !== undefined) throw new Error(flaw)
  return ring
}

/** Reveals a hidden cause, because an operator at a terminal can read it. */
const revealCause = (cause: unknown): unknown => (Redacted.isRedacted(cause) ? Redacted.value(cause) : cause)

/**
 * Makes a first key, rotates it or revokes it, with this command as the actor in the audit log. Returns the text to print,
 * including a new key, which isn't stored. Running hosts see the change when their directory reads again.
 */
export const changeKey = async (db: Connection, { action, cnpj, pepper, ...options }: KeyChange): Promise<string> => {
  const secrets = {
    // Parsed only to digest a key, because a revocation needs no pepper.
    get pepper() {
      return parsePepper(pepper)
    },
    seal: undefined,
  }
  await checkSchema(db, options)
  const database = makeDatabase(db, schemaName(options.schema))
  const admin = makeDirectoryAdmin(database, secrets, () => undefined)
  const [known] = await database.read(findCredential, [normalizeTaxId(cnpj)])
  if (action === "make" && known !== undefined) throw new Error(`${cnpj} has a key: rotate it, which ends its tokens`)
  if (action !== "make" && known === undefined) throw new Error(`${cnpj} has no key`)
  const change = action === "revoke" ? Effect.as(admin.revokeKey(cnpj), `revoked: ${cnpj}`) : admin.rotateKey(cnpj)
  return Effect.runPromise(
    change.pipe(
      Effect.provideService(Actor, "pixcharge-postgres keys"),
      Effect.mapError((error) => (error._tag === "DirectoryUnavailable" ? revealCause(error.cause) : error)),
    ),
  )
}
