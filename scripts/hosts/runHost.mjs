import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { setTimeout } from "node:timers/promises"
import { drive, wrongSecret } from "./drive.mjs"

const startLimitMs = 60_000
const endLimitMs = 10_000

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

/** Starts a host, drives the life of a charge, and ends the host by SIGTERM. Rejects with what went wrong and its log. */
export const runHost = async (app, folder, [command, ...args], receiver) => {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const { PATH, HOME } = process.env
  const child = spawn(command, [...args, ...app.start], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH,
      HOME,
      NODE_ENV: "production",
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
    await drive({ origin, ...app }, receiver)
    child.kill("SIGTERM")
    const exit = await Promise.race([ended, setTimeout(endLimitMs, undefined, { ref: false })])
    if (exit === undefined) throw new Error(`it did not end within ${endLimitMs / 1_000} s of SIGTERM`)
    const [code, signal] = exit
    if (log.join("").includes(wrongSecret)) throw new Error("its log has a path that holds a secret")
    if (code !== (app.exitCode ?? 0)) throw new Error(`it ended with ${code ?? signal} at SIGTERM`)
  } catch (error) {
    throw new Error(`${error.message}\n${log.join("").slice(-3_000)}`, { cause: error })
  } finally {
    child.kill("SIGKILL")
  }
}
