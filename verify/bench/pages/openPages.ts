import { connect, type Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"

const atOnce = 200

/** Browsers' event streams of pages that a local server serves. */
export const openPages = async (port: number, paths: ReadonlyArray<string>) => {
  const sockets: Array<Socket> = []
  const shown = new Map<string, { count: number; lastAt: number }>()
  const open = (path: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1").setEncoding("latin1").once("error", reject)
      sockets.push(socket)
      socket.on("data", (chunk) => {
        for (const [, status = ""] of String(chunk).matchAll(/"status":"(\w+)"/g)) {
          shown.set(status, { count: (shown.get(status)?.count ?? 0) + 1, lastAt: Date.now() })
          resolve()
        }
      })
      socket.write(`GET ${path}/estado HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\n\r\n`)
    })
  const rest = paths.values()
  const openRest = async (): Promise<void> => {
    for (const path of rest) await open(path)
  }
  await Promise.all(Array.from({ length: atOnce }, openRest))
  return {
    /** Waits until this many pages show this state. Returns the milliseconds from `since` to the last page. */
    waitForLast: async (status: string, count: number, since: number): Promise<number> => {
      for (const until = since + 60_000; Date.now() < until; await pause(100)) {
        const { count: found, lastAt } = shown.get(status) ?? { count: 0, lastAt: 0 }
        if (found >= count) return lastAt - since
      }
      throw new Error(`not all ${count} pages showed ${status} within a minute`)
    },
    close: (): void => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
