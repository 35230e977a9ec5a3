import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { embeddedPostgres, type PostgresPrograms, startPostgres } from "../index.ts"
import pg from "pg"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { build } from "../build.ts"
import { freePort } from "../freePort.ts"
import { root } from "../root.ts"

vi.mock(import("../freePort.ts"), { spy: true })

/** A folder that other users can't enter, inside one with an unusual name. */
const privateFolder = (): string => {
  const outer = mkdtempSync(join(tmpdir(), "pixcharge-só de um "))
  onTestFinished(() => rmSync(outer, { recursive: true, force: true }))
  chmodSync(outer, 0o700)
  const folder = join(outer, "a folder")
  mkdirSync(folder)
  return folder
}

const ask = async (flags?: ReadonlyArray<string>, programs?: PostgresPrograms): Promise<string> => {
  const server = await startPostgres(flags, programs)
  const client = new pg.Client({ connectionString: `${server.url}/postgres` })
  try {
    await client.connect()
    const { rows } = await client.query("SELECT current_setting('data_directory') AS folder")
    await client.end()
    return String(rows[0].folder)
  } finally {
    await server.remove()
  }
}

const hideAccounts = (...names: ReadonlyArray<string>): void => {
  const folder = mkdtempSync(join(tmpdir(), "pixcharge-path-"))
  const script = `#!/bin/sh\ncase "$2" in ${names.join("|")}) exit 1 ;; esac\nexec ${spawnSync("which", ["id"]).stdout.toString().trim()} "$@"\n`
  writeFileSync(join(folder, "id"), script, { mode: 0o755 })
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })
}

describe("a server of the tests", () => {
  it("starts even if its user can't enter the folder of its programs", { tags: ["long"] }, async () => {
    const { version, bin } = embeddedPostgres()
    const folder = privateFolder()
    for (const part of ["bin", "lib", "share"]) execFileSync("cp", ["-RP", join(dirname(bin), part), folder])
    const data = await ask([], { version, bin: join(folder, "bin") })
    expect(existsSync(dirname(data))).toBe(false)
  })

  it("starts even if only the user of the tests can enter the temporary folder, whose path is long", async () => {
    const folder = join(privateFolder(), "x".repeat(120))
    mkdirSync(folder)
    vi.stubEnv("TMPDIR", folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await ask()).toMatch(process.getuid?.() === 0 ? /^\/tmp\/pixcharge-server-/ : /x{120}/)
  })

  it("runs as nobody if the machine has no account postgres", { tags: ["otherUser", "long"] }, async () => {
    hideAccounts("postgres")
    expect(await ask()).toContain("pixcharge-server-")
  })

  it("names the missing accounts", { tags: ["otherUser"] }, async () => {
    hideAccounts("postgres", "nobody")
    await expect(startPostgres()).rejects.toThrow("has no account postgres or nobody")
  })

  it("takes another port if a server has taken its own meanwhile", { tags: ["long"] }, async () => {
    const other = await startPostgres()
    onTestFinished(other.remove)
    vi.mocked(freePort).mockResolvedValueOnce(other.port)
    const server = await startPostgres()
    onTestFinished(server.remove)
    expect(server.port).not.toBe(other.port)
  })

  it("says why it doesn't start", async () => {
    await expect(startPostgres(["-c", "no_such_setting=1"])).rejects.toThrow("no_such_setting")
  })

  it("deletes its files if the process that started it is killed", async () => {
    await build()
    const folder = mkdtempSync(join(tmpdir(), "pixcharge-left-"))
    chmodSync(folder, 0o1777)
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const built = JSON.stringify(join(root, "verify/dist/world/index.js"))
    const code = `const { startPostgres } = await import(${built}); await startPostgres(); process.kill(process.pid, "SIGKILL")`
    const env = { ...process.env, TMPDIR: folder }
    const { signal, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", code], { env })
    expect(signal, String(stderr)).toBe("SIGKILL")
    await expect.poll(() => readdirSync(folder)).toEqual([])
  })
})
