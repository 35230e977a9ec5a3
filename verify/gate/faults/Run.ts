import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "../../world/root.ts"

export interface Run {
  readonly what: string
  /** The program to run; by default Node's. */
  readonly command?: string
  readonly args: ReadonlyArray<string>
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly expected?: number
  readonly says: ReadonlyArray<string>
  readonly next?: (output: string) => Run
}

export const planted = mkdtempSync(join(tmpdir(), "pixcharge-gate-"))
process.once("exit", () => rmSync(planted, { recursive: true, force: true }))

const { CI: _ci, LONG: _long, ...rest } = process.env
/** The environment of a run by hand. `CI` would make Vitest stricter. */
export const environment = { ...rest, NO_COLOR: "1" }

export const vitest = [
  join(root, "node_modules/vitest/vitest.mjs"),
  "run",
  "--config",
  "vitest.workspace.ts",
  "--cache=false",
]

/** A file with a test that holds, and these lines. */
export const testFile = (...lines: ReadonlyArray<string>): string =>
  ['import { expect, it } from "vitest"', 'it("holds", () => expect(1).toBe(1))', ...lines, ""].join("\n")

const timeoutMs = 300_000

/** Runs the command and returns one string for each flaw: an exit code or an output that wasn't expected. */
export const findFlaws = async (run: Run): Promise<ReadonlyArray<string>> => {
  const { what, command = process.execPath, args, cwd = root, env = environment, expected = 1, says, next } = run
  const child = spawn(command, args, { cwd, env, timeout: timeoutMs })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += String(data)))
  const exit = await new Promise((resolve) => child.once("close", (code, signal) => resolve(code ?? signal)))
  const isRight = exit === expected && says.every((text) => output.includes(text))
  if (isRight) return next === undefined ? [] : findFlaws(next(output))
  return [`${output}\n${what}: it ended with ${exit}; it must end with ${expected} and print "${says.join('" and "')}"`]
}
