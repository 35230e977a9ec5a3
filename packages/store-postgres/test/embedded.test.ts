import { spawn } from "node:child_process"
import fs, { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { embeddedDatabase, FolderInUse } from "@pixcharge/store-postgres/pglite"
import { aPendingCharge } from "@pixcharge/testkit/fixtures"
import { describe, expect, it, onTestFinished } from "vitest"
import { lockFolder } from "../src/pglite/folderLock.ts"
import { openStore, run } from "./openStore.ts"

const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "pixcharge-embedded-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe("the embedded database", () => {
  it("keeps what was stored over a restart, in a folder that it makes", async () => {
    const folder = join(aFolder(), "not", "there", "yet")
    const charge = aPendingCharge()
    const first = await embeddedDatabase(folder)
    await run((await openStore({ db: first.db })).store.insert(charge))
    await first.close()
    const second = await embeddedDatabase(folder)
    expect(await run((await openStore({ db: second.db })).store.find(charge.issuer, charge.id))).toEqual(charge)
    await second.close()
  }, 60_000)

  it("gives the folder free if it can't be opened", async () => {
    const folder = aFolder()
    writeFileSync(join(folder, "data"), "no database")
    await expect(embeddedDatabase(folder)).rejects.toThrow()
    lockFolder(folder)()
  }, 60_000)
})

/** A process of its own that runs until the test ends, and its pid. */
const anotherProcess = async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" })
  const ended = new Promise<void>((resume) => child.once("exit", () => resume()))
  const end = async () => {
    child.kill("SIGKILL")
    await ended
  }
  onTestFinished(end)
  return { pid: child.pid ?? 0, end }
}

const startedAt = (pid: number): string => {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : ""
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
}

const lockedBy = (folder: string, holder: { pid: number; host?: string; began?: string }): void =>
  writeFileSync(join(folder, "lock.1"), JSON.stringify({ host: hostname(), began: startedAt(holder.pid), ...holder }))

describe("the lock of a folder", () => {
  it("a folder that is held is refused by a sentence that names the holder and the way out", () => {
    const folder = aFolder()
    const unlock = lockFolder(folder)
    expect(() => lockFolder(folder)).toThrow(FolderInUse)
    expect(() => lockFolder(folder)).toThrow(
      `${folder} is in use by process ${process.pid}. Stop it, give this process another folder, or use a Postgres server.`,
    )
    unlock()
    lockFolder(folder)()
  })

  it("the pid of the holder stands in the lock's file", () => {
    const folder = aFolder()
    const unlock = lockFolder(folder)
    expect(JSON.parse(readFileSync(join(folder, "lock.1"), "utf8"))).toMatchObject({ pid: process.pid })
    unlock()
  })

  it("a living process is respected, and its folder is free once it is dead", async () => {
    const folder = aFolder()
    const other = await anotherProcess()
    lockedBy(folder, { pid: other.pid })
    expect(() => lockFolder(folder)).toThrow(`process ${other.pid}`)
    await other.end()
    lockFolder(folder)()
  })

  it("a later process that got the dead one's pid is not taken for it", async () => {
    const folder = aFolder()
    const other = await anotherProcess()
    for (const pid of [other.pid, process.pid]) {
      lockedBy(folder, { pid, began: "1" })
      expect(() => lockFolder(folder)()).not.toThrow()
    }
  })

  it("a holder on another machine is respected, for nobody here can know whether it is alive", () => {
    const folder = aFolder()
    lockedBy(folder, { pid: 1, host: "outra-maquina" })
    expect(() => lockFolder(folder)).toThrow("process 1 on outra-maquina")
    expect(() => lockFolder(folder)).toThrow(`delete ${join(folder, "lock.1")}`)
  })

  it("of many processes that find a dead holder at once, one gets the folder", async () => {
    const folder = aFolder()
    const dead = await anotherProcess()
    lockedBy(folder, { pid: dead.pid })
    await dead.end()
    const script = `
      import { lockFolder } from ${JSON.stringify(join(import.meta.dirname, "../dist/pglite/folderLock.js"))}
      try { lockFolder(${JSON.stringify(folder)}); console.log("mine"); setInterval(() => {}, 1e6) }
      catch (error) { console.log(error._tag) }`
    const children = Array.from({ length: 12 }, () =>
      spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] }),
    )
    onTestFinished(() => {
      for (const child of children) child.kill("SIGKILL")
    })
    const answers = await Promise.all(
      children.map(
        (child) => new Promise<string>((resume) => child.stdout.once("data", (data) => resume(String(data).trim()))),
      ),
    )
    expect(answers.toSorted()).toEqual([...Array(11).fill("FolderInUse"), "mine"])
  }, 60_000)

  it("old locks are tidied up", () => {
    const folder = aFolder()
    for (let time = 0; time < 5; time++) lockFolder(folder)()
    expect(readdirSync(folder)).toEqual(["lock.5"])
  })

  it("eight old locks are tidied up at a time", () => {
    const folder = aFolder()
    for (let number = 1; number <= 12; number++) writeFileSync(join(folder, `lock.${number}`), "free")
    lockFolder(folder)()
    expect(new Set(readdirSync(folder))).toEqual(new Set(["lock.1", "lock.2", "lock.3", "lock.4", "lock.13"]))
  })

  it("files that are no locks don't count", () => {
    const folder = aFolder()
    for (const name of ["lock.9.draft", "lock.", "block.7"]) writeFileSync(join(folder, name), "{}")
    lockFolder(folder)()
    expect(readdirSync(folder)).toContain("lock.1")
  })

  it("a lock that is being written counts as taken", () => {
    const folder = aFolder()
    writeFileSync(join(folder, "lock.1"), '{"pid":')
    expect(() => lockFolder(folder)).toThrow(`${folder} is in use by process 0. Stop it`)
  })
})

/** Has links made in this way until the test ends. */
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

describe("the lock of a folder that others want", () => {
  it("is taken on a file system without links, too", () => {
    const folder = aFolder()
    linkBy(() => {
      throw failingWith("EPERM")
    })
    const unlock = lockFolder(folder)
    expect(readdirSync(folder)).toEqual(["lock.1"])
    expect(() => lockFolder(folder)).toThrow(FolderInUse)
    unlock()
    expect(readFileSync(join(folder, "lock.1"), "utf8")).toBe("free")
  })

  it("is the next one if somebody was faster, with links and without", () => {
    for (const code of ["EEXIST", "EPERM"]) {
      const folder = aFolder()
      let tries = 0
      linkBy((from, to) => {
        if (tries++ > 0) return fs.copyFileSync(from, to)
        writeFileSync(to, "free")
        throw failingWith(code)
      })
      lockFolder(folder)()
      expect([tries, readdirSync(folder)]).toEqual([2, ["lock.2"]])
    }
  })

  it("is given up after eight tries", () => {
    const folder = aFolder()
    let tries = 0
    linkBy(() => {
      tries++
      throw failingWith("EEXIST")
    })
    expect(() => lockFolder(folder)).toThrow(`delete ${join(folder, "lock.*")}`)
    expect([tries, readdirSync(folder)]).toEqual([8, []])
  })

  it("is not taken where it can't be written", () => {
    const folder = aFolder()
    linkBy((_, to) => {
      rmSync(folder, { recursive: true })
      throw failingWith(to)
    })
    expect(() => lockFolder(folder)).toThrow("ENOENT")
  })
})
