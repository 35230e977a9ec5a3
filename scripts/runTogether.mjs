/**
 * Runs commands of Node beside each other, and ends with 1 if any of them failed, after the last: most steps of the gate leave
 * a core idle for much of their time. The last of them has the terminal, and goes first where all want the same core; each of the
 * others is printed whole once it has ended.
 *
 *     node scripts/runTogether.mjs scripts/simulate.mjs "node_modules/vitest/vitest.mjs run"
 */
import { spawn } from "node:child_process"
import { setPriority } from "node:os"

const commands = process.argv.slice(2)
if (commands.length === 0) throw new Error("name at least one command to run")

/** How a command ends, and what it has said on both streams, in the order in which it did. */
const run = (command, isLast) =>
  new Promise((resolve, reject) => {
    const output = isLast ? "inherit" : "pipe"
    const child = spawn(process.execPath, command.split(" "), { stdio: ["ignore", output, output] })
    if (!isLast) setPriority(child.pid, 10)
    const said = []
    child.stdout?.on("data", (data) => said.push(data))
    child.stderr?.on("data", (data) => said.push(data))
    child.once("error", reject)
    child.once("close", (code, signal) => resolve({ exit: code ?? signal, said: Buffer.concat(said).toString() }))
    process.once("SIGTERM", () => child.kill())
  })

const startedAt = performance.now()
await Promise.all(
  commands.map(async (command, at) => {
    const { exit, said } = await run(command, at === commands.length - 1)
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
    console.log(`${said}${command} ended with ${exit} after ${seconds} s`)
    if (exit !== 0) process.exitCode = 1
  }),
)
