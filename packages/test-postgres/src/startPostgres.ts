import { fork } from "node:child_process"
import { once } from "node:events"
import { freePort } from "./freePort.ts"

/** A Postgres server of the test's own. */
export interface RealServer {
  /** To which `/<database>` is to be added. */
  readonly url: string
  readonly port: number
  /** Ends the server as an administrator would; what is stored stays. */
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  /** Ends it and deletes its files. */
  readonly remove: () => Promise<void>
}

/**
 * Starts a real server from the binaries in `node_modules`: about a second, and no step by hand. It runs below a process
 * of its own, which ends it and deletes its files when this process ends in whatever way.
 */
export const startPostgres = async (flags: ReadonlyArray<string> = []): Promise<RealServer> => {
  const port = await freePort()
  // Detached, so that Ctrl-C does not end the server under tests that are still running.
  const child = fork(`${import.meta.dirname}/../server.mjs`, [String(port), ...flags], {
    detached: true,
    execArgv: [],
    stdio: "ignore",
  })
  const ended = once(child, "exit").then(() => [{ log: "its process ended" }])
  const ask = async (command: "initialise" | "start" | "stop"): Promise<void> => {
    const answered = once(child, "message")
    // To a process that has ended nothing can be sent; `ended` says so.
    child.send(command, () => undefined)
    const [{ log }] = (await Promise.race([answered, ended])) as [{ log: string }]
    if (log !== "") throw new Error(`Postgres did not ${command}:\n${log}`)
  }
  const remove = async () => {
    if (child.connected) child.disconnect()
    await ended
  }
  try {
    await ask("initialise")
    await ask("start")
  } catch (cause) {
    await remove()
    throw cause
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}`,
    port,
    stop: () => ask("stop"),
    start: () => ask("start"),
    remove,
  }
}
