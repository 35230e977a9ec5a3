import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "../../world/root.ts"

const { engines, scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

const checkOn = (version: string) => {
  const pretend = `Object.defineProperty(process.versions, "node", { value: "${version}" })`
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`
  return spawnSync(process.execPath, ["--import", preload, join(root, "verify/checkNode.mjs")], { encoding: "utf8" })
}

describe("a Node that is too old", () => {
  it.each(["18.20.8", "20.9.0", "20.18.3"])("names the required version on %s", (version) => {
    expect(checkOn(version)).toMatchObject({
      status: 1,
      stderr: `pixcharge needs Node ${engines.node.replace(">=", "")} or newer, and this is Node ${version}.\n`,
    })
  })

  it.each(["20.19.0", "22.1.0", "100.0.0"])("doesn't include %s", (version) => {
    expect(checkOn(version)).toMatchObject({ status: 0, stderr: "" })
  })

  it.each(["start", "start:express", "build"])("makes %s fail before all its other work", (script) => {
    expect(scripts[script]).toMatch(/^node verify\/checkNode\.mjs && /)
  })

  it("makes `pnpm test` fail, because it builds first", () => {
    expect(scripts.test).toMatch(/^pnpm build && /)
  })
})
