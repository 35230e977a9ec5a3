import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { getPriority, tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, expect, it } from "vitest"
import { root } from "../../world/root.ts"
import { runGroups, runTogether } from "../runTogether.ts"

const folder = mkdtempSync(join(tmpdir(), "pixcharge-steps-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const step = (name: string, text: string): string => {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, text)
  return file
}

const sound = step("sound", 'setTimeout(() => console.log("the sound step ended"), 200)')

const hanging = `
  import { spawn } from "node:child_process"
  spawn(process.execPath, ["-e", "setInterval(() => {}, 1_000)"], { stdio: "inherit" })`

it.each([
  ["succeed if each of them succeeds, and their output is printed", 'console.log("told")', "told\n"],
  ["fail if one of them throws", 'throw new Error("planted")', "Error: planted"],
  ["fail if one of them ends with an exit code", "process.exitCode = 2", "first.mjs ended with 2"],
  ["fail if one of them is killed", 'process.kill(process.pid, "SIGKILL")', "first.mjs ended with SIGKILL"],
  [
    "fail if one of them takes too long, which kills its children too",
    hanging,
    "first.mjs ended with SIGKILL because it took longer than 0.02 minutes",
  ],
])("steps that run together %s", async (_, text, expected) => {
  const printed: Array<string> = []
  const minutes = text === hanging ? 0.02 : 1
  const hasSucceeded = await runTogether([step("first", text), sound], { minutes, print: (line) => printed.push(line) })
  expect(hasSucceeded).toBe(expected === "told\n")
  expect(printed.join("\n")).toContain(expected)
  expect(printed.join("\n")).toContain("sound.mjs ended with")
})

it.each([
  ["end with the first that fails", false, ["fails"]],
  ["all run if they go on, and fail if one failed", true, ["fails", "sound"]],
])("groups %s", async (_, goesOn, expected) => {
  const fails = step("fails", 'throw new Error("planted")')
  const printed: Array<string> = []
  const options = { goesOn, print: (text: string) => printed.push(text) }
  expect(await runGroups([[fails], [sound]], options)).toBe(false)
  expect(printed.map((text) => /(\w+)\.mjs ended/.exec(text)?.[1])).toEqual(expected)
})

it("a step never has a lower niceness than its gate, because an ordinary user can't lower it", () => {
  const niceness = Math.max(10, getPriority())
  const tells = step(
    "niceness",
    `import { getPriority } from "node:os"
     setTimeout(() => console.log("niceness " + getPriority()), 500)`,
  )
  const gate = step(
    "gate",
    `import { setPriority } from "node:os"
     import { runTogether } from ${JSON.stringify(pathToFileURL(join(root, "verify/dist/gate/runTogether.js")))}
     setPriority(${niceness})
     if (!(await runTogether(${JSON.stringify([tells, sound])}))) process.exitCode = 1`,
  )
  expect(execFileSync(process.execPath, [gate], { encoding: "utf8" })).toContain(`niceness ${niceness}\n`)
})
