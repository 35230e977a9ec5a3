import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterEach, beforeEach, expect, inject, it } from "vitest"
import { chromiumOfMachine, launchFailure } from "../launchOptions.ts"
import { unpackChromium } from "../unpackChromium.ts"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "pixcharge-chromium-"))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it("takes the Chromium of CHROMIUM_PATH as it is", async () => {
  const machine = { env: { CHROMIUM_PATH: "/opt/chromium" }, platform: "darwin", arch: "arm64" } as const
  expect(await chromiumOfMachine(machine)).toEqual({ executablePath: "/opt/chromium", environment: {} })
})

it("asks for CHROMIUM_PATH where the package has no Chromium for the machine", async () => {
  const machine = { env: {}, platform: "darwin", arch: "arm64" } as const
  await expect(chromiumOfMachine(machine)).rejects.toThrow("set CHROMIUM_PATH to a Chromium or Chrome of this machine")
})

it("names the libraries that a machine lacks, and what installs them", async () => {
  const library = join(inject("chromium").environment["LD_LIBRARY_PATH"] ?? "", "libplc4.so")
  const lacking = join(folder, "chromium")
  // One of the libraries that it needs now has a name that no machine has.
  await writeFile(lacking, (await readFile(library, "latin1")).replace("libnspr4.so", "libnsprX.so"), {
    encoding: "latin1",
    mode: 0o755,
  })
  const cause = new Error("it ended")
  const failure = await launchFailure({ executablePath: lacking, environment: {} }, cause)
  expect(failure.message).toContain(
    "this machine lacks libnsprX.so. Install them (on Debian and Ubuntu: apt-get install",
  )
  expect(failure.cause).toBe(cause)
  const other = await launchFailure({ executablePath: join(folder, "none"), environment: {} }, cause)
  expect(other.message).toContain("the cause says why")
})

it("is unpacked whole by each of two that begin at once, and only once", { tags: ["long"] }, async () => {
  const versions = [1, 2].map(async () => {
    const { executablePath, environment } = await unpackChromium(folder)
    const env = { ...process.env, ...environment }
    return (await promisify(execFile)(executablePath, ["--version"], { env })).stdout
  })
  for (const version of await Promise.all(versions)) expect(version).toContain("147.")
  expect(await readdir(folder)).toHaveLength(1)
})
