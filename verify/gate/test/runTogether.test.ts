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

const run = async (steps: ReadonlyArray<string>, minutes = 1) => {
  const printed: Array<string> = []
  const hasSucceeded = await runTogether([...steps, sound], { minutes, print: (text) => printed.push(text) })
  return { hasSucceeded, output: printed.join("\n") }
}

it("steps that run together succeed if each of them succeeds, and their output is printed", async () => {
  const { hasSucceeded, output } = await run([sound])
  expect(hasSucceeded).toBe(true)
  expect(output).toContain("the sound step ended\n")
})

it.each([
  ["throws", 'throw new Error("planted")', "Error: planted"],
  ["endsWith2", "process.exitCode = 2", "endsWith2.mjs ended with 2"],
  ["killed", 'process.kill(process.pid, "SIGKILL")', "killed.mjs ended with SIGKILL"],
])("steps fail if one of them fails (%s), even if the last one succeeds", async (name, text, expected) => {
  const { hasSucceeded, output } = await run([step(name, text), sound])
  expect(hasSucceeded).toBe(false)
  expect(output).toContain(expected)
  expect(output).toContain("the sound step ended\n")
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

it("a step that takes too long is killed with all its children", async () => {
  const hangs = step(
    "hangs",
    `import { spawn } from "node:child_process"
     spawn(process.execPath, ["-e", "setInterval(() => {}, 1_000)"], { stdio: "inherit" })`,
  )
  const { hasSucceeded, output } = await run([hangs], 0.02)
  expect(hasSucceeded).toBe(false)
  expect(output).toContain("hangs.mjs ended with SIGKILL because it took longer than 0.02 minutes")
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
