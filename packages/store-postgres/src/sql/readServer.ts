import { InvalidOption } from "@pixcharge/core"
import { TaggedError } from "@pixcharge/core/internal"
import type { Connection } from "./Connection.ts"
import { makeDatabase, type Row } from "./Database.ts"
import { repeatable } from "./Sql.ts"
import { numberIn, textIn } from "./values.ts"
import type { SchemaName } from "../schema/SchemaName.ts"

/**
 * The database's encoding isn't UTF8, so that some characters of names and messages could never be stored.
 *
 * @remedy Create a database with `ENCODING 'UTF8' TEMPLATE template0`, and connect to it.
 * @repeat No: not before another database is named.
 */
export class DatabaseNotUnicode extends TaggedError("DatabaseNotUnicode")<{ readonly encoding: string }> {
  override get message(): string {
    return `The database's encoding is ${this.encoding}, which lacks characters of names and messages. Create a database with ENCODING 'UTF8' TEMPLATE template0, and connect to it.`
  }
}

const findServer = repeatable(`
SELECT current_setting('server_version') AS server_version, current_setting('server_encoding') AS server_encoding,
  current_setting('server_version_num')::int / 10000 AS major`)

/** Throws for a `pg.Client` that was never told to connect: it keeps every query waiting. */
export const checkConnected = (db: Connection): void => {
  const { _connected: isConnected, _connecting: isConnecting } = db as {
    readonly _connected?: unknown
    readonly _connecting?: unknown
  }
  if (isConnected !== false || isConnecting !== false) return
  throw new InvalidOption({
    message: 'The option "db": it is a pg.Client without a connection: await its connect() first.',
  })
}

const checkKeys = (row: Row): void => {
  if (Object.hasOwn(row, "server_version")) return
  const keys = Object.keys(row).join(", ")
  const message = `The option "db": a row must have the columns' names as its keys, and one has the keys ${keys}: give a connection that leaves column names as they are.`
  throw new InvalidOption({ message })
}

/**
 * Reads the server's version; undefined if it says nothing. Rejects with `DatabaseNotUnicode`, or with `InvalidOption` for renamed
 * columns and for a client without a connection.
 */
export const readServer = async (
  db: Connection,
  schema: SchemaName,
): Promise<{ readonly version: string; readonly major: number } | undefined> => {
  checkConnected(db)
  const [row] = await makeDatabase(db, schema).read(findServer, [])
  if (row === undefined) return undefined
  checkKeys(row)
  const encoding = textIn(row, "server_encoding")
  if (encoding !== "UTF8") throw new DatabaseNotUnicode({ encoding })
  return { version: textIn(row, "server_version"), major: numberIn(row, "major") }
}
