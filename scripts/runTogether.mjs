/**
 * Runs commands of Node beside each other, and ends with 1 if any of them failed, after the last: most steps of the gate leave
 * a core idle for much of their time. The last of them has the terminal, and goes first where all want the same core; each of the
 * others is printed whole once it has ended. One that takes longer than `--minutes` (30) is ended with all that it has started.
 *
 *     node scripts/runTogether.mjs scripts/simulate.mjs "node_modules/vitest/vitest.mjs run"
 */
import { spawn } from "node:child_process"
import { setPriority } from "node:os"
import { parseArgs } from "node:util"

const { values, positionals: commands } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: "string", default: "30" } },
})
if (commands.length === 0) throw new Error("name at least one command to run")
const limitMs = Number(values.minutes) * 60_000
if (!(limitMs > 0 && limitMs < 2 ** 31)) throw new Error(`--minutes must be a number above 0, and is ${values.minutes}`)

/** Ends a command with all that it has started: each leads a group of its own. */
const endGroup = ({ pid }) => {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // All of it has ended.
  }
}

const running = new Set()
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, () => {
    for (const child of running) endGroup(child)
    process.exit(1)
  })
}

/** How a command ends, and what it has said on both streams, in the order in which it did. */
const run = (command, isLast) =>
  new Promise((resolve, reject) => {
    const output = isLast ? "inherit" : "pipe"
    const child = spawn(process.execPath, command.split(" "), { stdio: ["ignore", output, output], detached: true })
    running.add(child)
    if (!isLast) setPriority(child.pid, 10)
    let late = ""
    const timer = setTimeout(() => {
      late = `, for it took longer than ${values.minutes} minutes`
      endGroup(child)
    }, limitMs)
    const said = []
    child.stdout?.on("data", (data) => said.push(data))
    child.stderr?.on("data", (data) => said.push(data))
    child.once("error", reject)
    child.once("exit", () => endGroup(child))
    child.once("close", (code, signal) => {
      clearTimeout(timer)
      running.delete(child)
      resolve({ exit: `${code ?? signal}${late}`, said: Buffer.concat(said).toString() })
    })
  })

const startedAt = performance.now()
await Promise.all(
  commands.map(async (command, at) => {
    const { exit, said } = await run(command, at === commands.length - 1)
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
    console.log(`${said}${command} ended with ${exit} after ${seconds} s`)
    if (exit !== "0") process.exitCode = 1
  }),
)
