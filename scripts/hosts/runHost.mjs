import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { drive, wrongSecret } from "./drive.mjs"

const startLimitMs = 120_000
const endLimitMs = 20_000

const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address()
  server.close()
  await once(server, "close")
  return port
}

const isUp = async (origin) => {
  try {
    return (await fetch(origin, { headers: { connection: "close" } })).ok
  } catch {
    return false
  }
}

const mark = " // edited"

/** Edits these files under a running host, and waits until it shows that of its page. */
const editAndReload = async (folder, files, origin) => {
  for (const file of files) {
    const text = readFileSync(join(folder, file), "utf8")
    writeFileSync(join(folder, file), `${text.replace("a shop", "a shop, reloaded")}${mark}\n`)
  }
  const began = performance.now()
  while (!(await (await fetch(origin)).text()).includes("a shop, reloaded")) {
    if (performance.now() - began > startLimitMs) throw new Error("it didn't reload an edited page")
    await setTimeout(200)
  }
}

const undoEdits = (folder, files) => {
  for (const file of files) {
    const text = readFileSync(join(folder, file), "utf8")
    writeFileSync(join(folder, file), text.replace("a shop, reloaded", "a shop").replaceAll(`${mark}\n`, ""))
  }
}

const endGroup = (pid) => {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // It has ended.
  }
}

/** Starts a host, drives the life of a charge, and ends the host by SIGTERM. Rejects with what went wrong and its log. */
export const runHost = async (app, folder, [command, ...args], receiver) => {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const { PATH, HOME } = process.env
  const child = spawn(command, [...args, ...app.start], {
    cwd: folder,
    // A group of its own: some hosts start processes of theirs.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH,
      HOME,
      NEXT_TELEMETRY_DISABLED: "1",
      NODE_ENV: app.edits === undefined ? "production" : "development",
      PORT: String(port),
      PIX_TOKEN_SECRET: "a secret of the hosts that are tested",
      ...receiver.env,
    },
  })
  const log = []
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => log.push(String(chunk)))
  const ended = once(child, "exit")
  try {
    for (const began = performance.now(); !(await isUp(origin)); await setTimeout(100)) {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode} before it was up`)
      if (performance.now() - began > startLimitMs) throw new Error("it didn't get up")
    }
    await drive({ origin, ...app }, receiver, () => app.edits && editAndReload(folder, app.edits, origin))
    child.kill("SIGTERM")
    const exit = await Promise.race([ended, setTimeout(endLimitMs, undefined, { ref: false })])
    if (exit === undefined) throw new Error(`it did not end within ${endLimitMs / 1_000} s of SIGTERM`)
    const [code, signal] = exit
    // While it is developed, Next.js logs every path.
    if (app.edits === undefined && log.join("").includes(wrongSecret))
      throw new Error("its log has a path that holds a secret")
    if (code !== (app.exitCode ?? 0)) throw new Error(`it ended with ${code ?? signal} at SIGTERM`)
  } catch (error) {
    throw new Error(`${error.message}\n${log.join("").slice(-3_000)}`, { cause: error })
  } finally {
    endGroup(child.pid)
    undoEdits(folder, app.edits ?? [])
  }
}
