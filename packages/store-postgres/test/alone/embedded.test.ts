import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import fs, {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { hostname, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Connection } from "@pixcharge/store-postgres"
import { embeddedDatabase, FolderInUse, FolderNotPrivate, FolderNotWritable } from "@pixcharge/store-postgres/pglite"
import { aPendingCharge } from "@pixcharge/adapter-tests/fixtures"
import { beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { until } from "@pixcharge/verify/postgres"
import { lockFolder, systemRun } from "../../src/pglite/folderLock.ts"
import { openStore, run } from "../openStore.ts"

const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "pixcharge-embedded-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const openPaths = (folder: string): ReadonlyArray<string> =>
  [folder, ...readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name))].filter(
    (path) => (lstatSync(path).mode & 0o077) !== 0,
  )

const isRoot = process.geteuid?.() === 0
const nobody = 65_534
const otherUserCan = (command: string): boolean =>
  spawnSync("/bin/sh", ["-c", command], { uid: nobody, gid: nobody, cwd: "/", stdio: "ignore" }).status === 0

const expectClosed = (folder: string): void => {
  expect(openPaths(folder)).toEqual([])
  // Only root can become another user.
  if (!isRoot) return
  const version = join(folder, "data", "PG_VERSION")
  expect(otherUserCan(`ls ${join(folder, "..")}`)).toBe(true)
  for (const command of [`ls ${folder}`, `cat ${version}`, `echo x >> ${version}`, `touch ${folder}/x`]) {
    expect(otherUserCan(command), command).toBe(false)
  }
}

it("an embedded database in an unwritable folder is refused with the folder's name", async () => {
  // Root ignores modes, but can't make a folder in /sys.
  const readOnly = isRoot ? "/sys" : aFolder()
  if (!isRoot) chmodSync(readOnly, 0o500)
  const failure: unknown = await embeddedDatabase(join(readOnly, "data")).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(FolderNotWritable)
  expect((failure as FolderNotWritable).message).toContain(`kept in ${readOnly}/data, which can't be written to`)
})

describe("the embedded database", () => {
  const around = mkdtempSync(join(tmpdir(), "pixcharge-embedded-"))
  const folder = join(around, "not", "there", "yet")
  const permissions: Array<unknown> = []

  // PGlite takes seconds to make a database, and less than a second to open it again.
  beforeAll(async () => {
    const opening = embeddedDatabase(folder)
    await until(() => fs.existsSync(folder))
    permissions.push(lstatSync(folder).mode & 0o077)
    await (await opening).close()
    permissions.push(openPaths(folder))
    return () => rmSync(around, { recursive: true })
  })

  it("makes its folder, and keeps the data over a restart", async () => {
    const charge = aPendingCharge()
    const first = await embeddedDatabase(folder)
    await run((await openStore({ db: first.db })).store.insert(charge))
    await first.close()
    const second = await embeddedDatabase(folder)
    expect(await run((await openStore({ db: second.db })).store.find(charge.issuer, charge.id))).toEqual(charge)
    await second.close()
  })

  it("runs the host's transaction as a whole or not at all, before other statements", async () => {
    const { db, transaction, close } = await embeddedDatabase(folder)
    const count = async () => (await db.query({ text: "SELECT id FROM orders", values: [] })).rows.length
    const insert = (tx: Connection, id: number) => tx.query({ text: "INSERT INTO orders VALUES ($1)", values: [id] })
    await db.query({ text: "CREATE TABLE orders (id integer)", values: [] })

    const failing = transaction(async (tx) => {
      await insert(tx, 1)
      throw new Error("out of stock")
    })
    await expect(failing).rejects.toThrow("out of stock")
    expect(await count()).toBe(0)

    let counted: Promise<number> | undefined
    const made = await transaction(async (tx) => {
      await insert(tx, 2)
      counted = count()
      await insert(tx, 3)
      return "made"
    })
    expect([made, await counted]).toEqual(["made", 2])
    await close()
  })

  it("keeps its folder closed to other users, at first and after each start", async () => {
    for (const each of [around, dirname(folder), dirname(dirname(folder))]) chmodSync(each, 0o755)
    expect(permissions).toEqual([0, []])
    expectClosed(folder)
    for (const path of [folder, join(folder, "data"), join(folder, "data", "PG_VERSION")]) chmodSync(path, 0o777)
    if (isRoot) expect(otherUserCan(`cat ${join(folder, "data", "PG_VERSION")}`)).toBe(true)
    const { close } = await embeddedDatabase(folder)
    expectClosed(folder)
    await close()
  })

  it("releases the folder if the database can't be opened", async () => {
    const broken = aFolder()
    writeFileSync(join(broken, "data"), "no database")
    await expect(embeddedDatabase(broken)).rejects.toThrow()
    await (
      await lockFolder(broken)
    )()
  })
})

describe("the folder of the embedded database", () => {
  it("refuses a folder of another user with a clear sentence", { tags: ["otherUser"] }, async () => {
    const folder = aFolder()
    chownSync(folder, nobody, nobody)
    await expect(embeddedDatabase(folder)).rejects.toThrow(FolderNotPrivate)
    await expect(embeddedDatabase(folder)).rejects.toThrow(
      `${folder} belongs to user ${nobody}, and this process runs as user 0: chown it, or choose another folder.`,
    )
    expect(readdirSync(folder)).toEqual([])
  })

  it.each(["data", "lock.1", join("data", "base")])(
    "refuses a folder that contains a symbolic link: %s",
    async (name) => {
      const [folder, elsewhere] = [aFolder(), aFolder()]
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      symlinkSync(elsewhere, path)
      const opening = embeddedDatabase(folder)
      await expect(opening).rejects.toMatchObject({ _tag: "FolderNotPrivate", folder: dirname(path) })
      await expect(opening).rejects.toThrow(FolderNotPrivate)
      await expect(opening).rejects.toThrow(
        `${path} is a symbolic link, which another user could have made: replace it with its target, or choose another folder.`,
      )
      expect(readdirSync(elsewhere)).toEqual([])
    },
  )

  it.each(["data", "lock.1", join("data", "PG_VERSION")])(
    "refuses a folder that contains another user's file: %s",
    { tags: ["otherUser"] },
    async (name) => {
      const folder = aFolder()
      const path = join(folder, name)
      mkdirSync(path, { recursive: true })
      chownSync(path, nobody, nobody)
      const opening = embeddedDatabase(folder)
      await expect(opening).rejects.toThrow(FolderNotPrivate)
      await expect(opening).rejects.toThrow(
        `${path} belongs to user ${nobody}, and this process runs as user 0: chown it, or choose another folder.`,
      )
      expect(readdirSync(path)).toEqual([])
    },
  )

  it("refuses a folder on a file system without modes", async () => {
    const folder = aFolder()
    chmodSync(folder, 0o755)
    const { chmodSync: real } = fs
    const set = (chmod: typeof real) => {
      fs.chmodSync = chmod
      syncBuiltinESMExports()
    }
    set(() => undefined)
    onTestFinished(() => set(real))
    await expect(embeddedDatabase(folder)).rejects.toThrow("its file system keeps no modes")
  })
})

const lockingScript = `
  import { lockFolder } from ${JSON.stringify(join(import.meta.dirname, "../../dist/pglite/folderLock.js"))}
  try { await lockFolder(process.argv[1]); console.log("mine"); setInterval(() => {}, 1e6) }
  catch (error) { console.log(error._tag) }`

/** Starts a process that locks the folder and runs until it is ended. `command` comes before the process's command line. */
const startLockingProcess = (folder: string, [command, ...args]: ReadonlyArray<string> = []) => {
  const words = [
    ...args,
    ...(command === undefined ? [] : [process.execPath]),
    "--input-type=module",
    "-e",
    lockingScript,
    folder,
  ]
  const child = spawn(command ?? process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] })
  const ended = new Promise<void>((resume) => child.once("exit", () => resume()))
  const end = async () => {
    child.kill("SIGKILL")
    await ended
  }
  onTestFinished(end)
  const answer = new Promise<string>((resume) => child.stdout.once("data", (data) => resume(String(data).trim())))
  return { child, answer, end }
}

const reaches = ({ pid }: ChildProcess, state: string) =>
  expect.poll(() => spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout).toMatch(state)

const lockedBy = (folder: string, holder: Record<string, unknown>): void =>
  writeFileSync(
    join(folder, "lock.1"),
    JSON.stringify({ pid: 1, host: hostname(), systemRun: systemRun(), socket: "socket.gone", ...holder }),
  )

const lockAndRelease = async (folder: string): Promise<void> => (await lockFolder(folder))()

/** A process in its own PID namespace, like in a container. */
const container = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]

describe("the lock of a folder", () => {
  it("refuses a held folder with a sentence that names the holder and a remedy", async () => {
    const folder = aFolder()
    const unlock = await lockFolder(folder)
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUse)
    await expect(lockFolder(folder)).rejects.toThrow(
      `${folder} is in use by process ${process.pid}. Stop it, give this process another folder, or use a Postgres server.`,
    )
    await unlock()
    await lockAndRelease(folder)
  })

  it("contains the holder's pid", async () => {
    const folder = aFolder()
    const unlock = await lockFolder(folder)
    expect(JSON.parse(readFileSync(join(folder, "lock.1"), "utf8"))).toMatchObject({ pid: process.pid })
    await unlock()
  })

  it("keeps the folder while its process lives, and releases it afterwards", async () => {
    const folder = aFolder()
    const other = startLockingProcess(folder)
    expect(await other.answer).toBe("mine")
    await expect(lockFolder(folder)).rejects.toThrow(`process ${other.child.pid}`)
    await other.end()
    await lockAndRelease(folder)
    expect(readdirSync(folder)).toEqual(["lock.2"])
  })

  it("keeps the folder while its process is paused", async () => {
    const folder = aFolder()
    const other = startLockingProcess(folder)
    expect(await other.answer).toBe("mine")
    other.child.kill("SIGSTOP")
    await reaches(other.child, "T")
    for (let time = 0; time < 20; time++) await expect(lockFolder(folder)).rejects.toThrow(FolderInUse)
    other.child.kill("SIGCONT")
    await reaches(other.child, "S")
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUse)
    await other.end()
    await lockAndRelease(folder)
  })

  it("is given to only one of two containers with the same host name", { tags: ["containers"] }, async () => {
    const folder = aFolder()
    const [first, second] = [startLockingProcess(folder, container), startLockingProcess(folder, container)]
    expect([await first.answer, await second.answer].toSorted()).toEqual(["FolderInUse", "mine"])
    const third = startLockingProcess(folder, container)
    expect(await third.answer).toBe("FolderInUse")
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUse)
    for (const { end } of [first, second, third]) await end()
    await expect
      .poll(() =>
        lockAndRelease(folder).then(
          () => "mine",
          () => "not yet",
        ),
      )
      .toBe("mine")
  })

  it("counts as free if its holder is from an earlier run of the system", async () => {
    const folder = aFolder()
    lockedBy(folder, { systemRun: "before the restart" })
    await expect(lockAndRelease(folder)).resolves.toBeUndefined()
  })

  it("counts as taken if its process on another machine could be alive", async () => {
    const folder = aFolder()
    lockedBy(folder, { systemRun: "another machine's", host: "outra-maquina" })
    const { statfsSync } = fs
    const set = (statfs: typeof statfsSync) => {
      fs.statfsSync = statfs
      syncBuiltinESMExports()
    }
    const nfs = 0x6969
    set(((path: string) => ({ ...statfsSync(path), type: nfs })) as typeof statfsSync)
    onTestFinished(() => set(statfsSync))
    await expect(lockFolder(folder)).rejects.toThrow("process 1 on outra-maquina")
    await expect(lockFolder(folder)).rejects.toThrow(`delete ${join(folder, "lock.1")}`)
  })

  it("works in a folder with a long path", async () => {
    const folder = join(aFolder(), "x".repeat(100), "y".repeat(100))
    mkdirSync(folder, { recursive: true })
    const unlock = await lockFolder(folder)
    expect(await startLockingProcess(folder).answer).toBe("FolderInUse")
    await unlock()
    await lockAndRelease(folder)
    expect(readdirSync(folder)).toEqual(["lock.2"])
  })

  it("is given to only one of many processes that find a dead holder", async () => {
    const folder = aFolder()
    lockedBy(folder, {})
    const answers = await Promise.all(Array.from({ length: 12 }, () => startLockingProcess(folder).answer))
    expect(answers.toSorted()).toEqual([...Array(11).fill("FolderInUse"), "mine"])
  })

  it("removes old lock files", async () => {
    const folder = aFolder()
    for (let time = 0; time < 5; time++) await lockAndRelease(folder)
    expect(readdirSync(folder)).toEqual(["lock.5"])
  })

  it("removes at most eight old lock files at a time", async () => {
    const folder = aFolder()
    for (let number = 1; number <= 12; number++) writeFileSync(join(folder, `lock.${number}`), "free")
    await lockAndRelease(folder)
    expect(new Set(readdirSync(folder))).toEqual(new Set(["lock.1", "lock.2", "lock.3", "lock.4", "lock.13"]))
  })

  it("ignores files that aren't locks", async () => {
    const folder = aFolder()
    for (const name of ["lock.9.draft", "lock.", "block.7"]) writeFileSync(join(folder, name), "{}")
    await lockAndRelease(folder)
    expect(readdirSync(folder)).toContain("lock.1")
  })

  it("counts as taken while it is being written", async () => {
    const folder = aFolder()
    writeFileSync(join(folder, "lock.1"), '{"pid":')
    await expect(lockFolder(folder)).rejects.toThrow(`${folder} is in use by process 0. Stop it`)
  })
})

const linkBy = (link: (from: string, to: string) => void): void => {
  const { linkSync } = fs
  const set = (other: typeof fs.linkSync) => {
    fs.linkSync = other
    syncBuiltinESMExports()
  }
  set(link as typeof fs.linkSync)
  onTestFinished(() => set(linkSync))
}

const failingWith = (code: string) => Object.assign(new Error(code), { code })

describe("a folder's lock that several processes try to take", () => {
  it("can be taken on a file system without links", async () => {
    const folder = aFolder()
    linkBy(() => {
      throw failingWith("EPERM")
    })
    const unlock = await lockFolder(folder)
    expect(readdirSync(folder).filter((name) => !name.startsWith("socket."))).toEqual(["lock.1"])
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUse)
    await unlock()
    expect(readFileSync(join(folder, "lock.1"), "utf8")).toBe("free")
  })

  it("has the next number if another process was faster, with or without links", async () => {
    for (const code of ["EEXIST", "EPERM"]) {
      const folder = aFolder()
      let tries = 0
      linkBy((from, to) => {
        if (tries++ > 0) return fs.copyFileSync(from, to)
        writeFileSync(to, "free")
        throw failingWith(code)
      })
      await lockAndRelease(folder)
      expect([tries, readdirSync(folder)]).toEqual([2, ["lock.2"]])
    }
  })

  it("gives up after eight tries", async () => {
    const folder = aFolder()
    let tries = 0
    linkBy(() => {
      tries++
      throw failingWith("EEXIST")
    })
    await expect(lockFolder(folder)).rejects.toThrow(`delete ${join(folder, "lock.*")}`)
    expect([tries, readdirSync(folder)]).toEqual([8, []])
  })

  it("fails if the lock can't be written", async () => {
    const folder = aFolder()
    linkBy((_, to) => {
      rmSync(folder, { recursive: true })
      throw failingWith(to)
    })
    await expect(lockFolder(folder)).rejects.toThrow("ENOENT")
  })
})
