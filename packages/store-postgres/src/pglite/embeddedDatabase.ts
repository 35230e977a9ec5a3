import { mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { type Connection, pgliteConnection } from "../sql/Connection.ts"
import { lockFolder } from "./folderLock.ts"
import { makePrivate, nameReadOnly, tightenContent } from "./privateFolder.ts"

/** A Postgres inside this process, with its data in a folder. */
export interface EmbeddedDatabase {
  readonly db: Connection
  /**
   * Runs the work in one transaction on the host's own tables: commits when the work resolves, rolls back when it rejects. All
   * other statements wait, including pixcharge's: work that awaits `pix` never ends.
   */
  readonly transaction: <A>(work: (tx: Connection) => Promise<A>) => Promise<A>
  /** Closes the database and releases the folder; the data stays. */
  readonly close: () => Promise<void>
}

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
 * Opens PGlite, a Postgres without a server, with its data in `folder`, which it creates if missing. For development,
 * demonstrations and small single-process hosts.
 *
 * Only one process can use the folder, because two processes would lose each other's rows. A second process is refused
 * (`FolderInUse`). A dead process's lock is taken over. Only one user can use the folder: if other users can read it, it is made
 * private or refused (`FolderNotPrivate`). A folder that contains a symbolic link or another user's file is refused too. Rejects
 * with `FolderNotWritable` if the folder can't be created or written to.
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
    // Runs before PGlite reads or writes anything, and again below for the files that PGlite makes.
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
