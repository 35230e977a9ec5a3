import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { endGroup } from "../../world/endGroup.ts"
import { freePort } from "../../world/freePort.ts"
import { drive, type Surroundings, wrongSecret } from "./drive.ts"
import { openPages } from "./openPages.ts"
import type { Row } from "./Row.ts"

const startLimitMs = 120_000
const endLimitMs = 20_000

const isUp = (origin: string): Promise<boolean> =>
  fetch(origin, { headers: { connection: "close" } }).then(
    () => true,
    () => false,
  )

/** Edits these files of a running host, and waits until its page shows the edit. */
const editAndReload = async (folder: string, files: ReadonlyArray<string>, origin: string): Promise<void> => {
  for (const file of files) {
    const text = readFileSync(join(folder, file), "utf8").replace("a shop", "a shop, reloaded")
    writeFileSync(join(folder, file), `${text} // edited\n`)
  }
  const began = performance.now()
  while (!(await (await fetch(origin)).text()).includes("a shop, reloaded")) {
    if (performance.now() - began > startLimitMs) throw new Error("it didn't reload an edited page")
    await setTimeout(200)
  }
}

const start = (row: Row, folder: string, [command = "", ...args]: ReadonlyArray<string>, port: number, env: object) =>
  spawn(command, [...args, ...(row.start ?? [])], {
    cwd: folder,
    // The host gets its own process group, because some hosts start child processes.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      NEXT_TELEMETRY_DISABLED: "1",
      NODE_ENV: row.edits === undefined ? "production" : "development",
      PORT: String(port),
      PIX_TOKEN_SECRET: "a secret of the hosts that are tested",
      PUBLIC_URL: `http://127.0.0.1:${port}${row.prefix}`,
      ...env,
    },
  })

const untilUp = async (child: ChildProcess, origin: string): Promise<void> => {
  for (const began = performance.now(); !(await isUp(origin)); await setTimeout(100)) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode} before it had started`)
    if (performance.now() - began > startLimitMs) throw new Error("it didn't start in time")
  }
}

interface HostSurroundings extends Surroundings {
  readonly env: object
}

/**
 * Starts a host, takes a charge through its life, and ends the host with the signal. Rejects with the error and the
 * host's log.
 */
const runUntil = async (
  [signal, end]: readonly [string, number | string],
  row: Row,
  folder: string,
  command: ReadonlyArray<string>,
  surroundings: HostSurroundings,
): Promise<void> => {
  const { edits = [] } = row
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const child = start(row, folder, command, port, surroundings.env)
  let log = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (log += String(chunk)))
  const exited = once(child, "exit")
  try {
    await untilUp(child, origin)
    await drive(
      origin,
      row,
      surroundings,
      () => log,
      async () => {
        if (edits.length > 0) await editAndReload(folder, edits, origin)
      },
    )
    const areWhole = await openPages(origin, row)
    child.kill(signal as NodeJS.Signals)
    const exit = await Promise.race([exited, setTimeout(endLimitMs, undefined, { ref: false })])
    if (exit === undefined) throw new Error(`it did not end within ${endLimitMs / 1_000} s of ${signal}`)
    for (const isWhole of areWhole) assert.ok(await isWhole, `an open page was cut off at ${signal}`)
    // A row with edits runs Next.js in development, which logs every path.
    if (edits.length === 0 && log.includes(wrongSecret)) throw new Error("its log has a path that holds a secret")
    if ((exit[0] ?? exit[1]) !== end) throw new Error(`it ended with ${exit[0] ?? exit[1]} at ${signal}`)
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${log.slice(-3_000)}`, { cause: error })
  } finally {
    endGroup(child)
  }
}

/** Runs a host once for each signal that ends it. */
export const runHost = async (
  row: Row,
  folder: string,
  command: ReadonlyArray<string>,
  surroundings: HostSurroundings,
): Promise<void> => {
  for (const end of Object.entries(row.ends)) await runUntil(end, row, folder, command, surroundings)
}
