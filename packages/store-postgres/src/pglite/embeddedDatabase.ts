import { mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { type Connection, pgliteConnection } from "../sql/Connection.ts"
import { lockFolder } from "./folderLock.ts"
import { makePrivate, nameReadOnly, tightenContent } from "./privateFolder.ts"

/** A Postgres inside this process, kept in a folder. */
export interface EmbeddedDatabase {
  readonly db: Connection
  /**
   * Runs the work in one transaction, for tables of the host's own: it commits when the work returns, and rolls back when it
   * rejects. All other statements wait until then, pixcharge's too: work that awaits `pix` never ends.
   */
  readonly transaction: <A>(work: (tx: Connection) => Promise<A>) => Promise<A>
  /** Ends it and releases the folder; what was stored stays. */
  readonly close: () => Promise<void>
}

/** PGlite can't be loaded; it is the host's to install. */
const loadPGlite = async () => {
  try {
    return (await import("@electric-sql/pglite")).PGlite
  } catch (cause) {
    throw new Error("An embedded database needs the package @electric-sql/pglite: npm install @electric-sql/pglite", {
      cause,
    })
  }
}

/**
 * Opens a Postgres without a server: PGlite, which keeps its data in a folder, and makes that if need be. For development,
 * demonstrations and small single-process hosts.
 *
 * The folder is for one process alone: PGlite doesn't notice a second one, and the two would lose each other's rows. A
 * second one is refused (`FolderInUse`); the lock of a process that died is taken over. It is for one user alone, too: a
 * folder that other users could read is made private, or refused (`FolderNotPrivate`), as is one with a symbolic link or
 * another user's file in it. A folder that can't be made or written to is refused, too (`FolderNotWritable`).
 */
export const embeddedDatabase = async (folder: string): Promise<EmbeddedDatabase> => {
  const PGlite = await loadPGlite()
  const place = resolve(folder)
  return openIn(place, PGlite).catch((error: unknown) => Promise.reject(nameReadOnly(place, error)))
}

const openIn = async (place: string, PGlite: Awaited<ReturnType<typeof loadPGlite>>): Promise<EmbeddedDatabase> => {
  makePrivate(place)
  const unlock = await lockFolder(place)
  try {
    // Before PGlite reads or writes anything, and again for the files that it makes.
    tightenContent(place)
    const data = join(place, "data")
    mkdirSync(data, { recursive: true })
    const pglite = await PGlite.create(data)
    tightenContent(place)
    return {
      db: pgliteConnection(pglite),
      transaction: (work) => pglite.transaction((tx) => work(pgliteConnection(tx))),
      close: async () => {
        await pglite.close()
        await unlock()
      },
    }
  } catch (error) {
    await unlock()
    throw error
  }
}
