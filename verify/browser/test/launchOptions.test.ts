import { execFile } from "node:child_process"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterEach, beforeEach, expect, it } from "vitest"
import { chromiumOfMachine } from "../launchOptions.ts"
import { unpackChromium } from "../unpackChromium.ts"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "pixcharge-chromium-"))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it("uses the Chromium of CHROMIUM_PATH unchanged", async () => {
  const machine = { env: { CHROMIUM_PATH: "/opt/chromium" }, platform: "darwin", arch: "arm64" } as const
  expect(await chromiumOfMachine(machine)).toEqual({ executablePath: "/opt/chromium", environment: {} })
})

it("asks for CHROMIUM_PATH if the package has no Chromium for the machine", async () => {
  const machine = { env: {}, platform: "darwin", arch: "arm64" } as const
  await expect(chromiumOfMachine(machine)).rejects.toThrow("set CHROMIUM_PATH to a Chromium or Chrome of this machine")
})

it("is unpacked once and completely by two concurrent calls", { tags: ["long"] }, async () => {
  const versions = [1, 2].map(async () => {
    const { executablePath, environment } = await unpackChromium(folder)
    const env = { ...process.env, ...environment }
    return (await promisify(execFile)(executablePath, ["--version"], { env })).stdout
  })
  for (const version of await Promise.all(versions)) expect(version).toContain("147.")
  expect(await readdir(folder)).toHaveLength(1)
})
