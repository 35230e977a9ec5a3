import { connect, type Socket } from "node:net"
import { serveOrders } from "../../world/Worker.ts"

export interface Notified {
  readonly count: number
  readonly lastAt: number
}

const atOnce = 200

const notified = new Map<string, Notified>()
let sockets: Array<Socket> = []

const note = (chunk: string): void => {
  for (const [, status = ""] of chunk.matchAll(/"status":"(\w+)"/g))
    notified.set(status, { count: (notified.get(status)?.count ?? 0) + 1, lastAt: Date.now() })
}

const open = (port: number, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" })
    sockets.push(socket)
    socket.setEncoding("latin1")
    socket.once("error", reject)
    socket.on("data", (chunk) => {
      const text = String(chunk)
      note(text)
      if (text.includes('"status"')) resolve()
    })
    socket.write(`GET ${path}/estado HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\n\r\n`)
  })

const orders = {
  open: async (port: number, paths: ReadonlyArray<string>): Promise<void> => {
    const rest = paths.values()
    const work = async (): Promise<void> => {
      for (const path of rest) await open(port, path)
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  },
  close: (): void => {
    for (const socket of sockets) socket.destroy()
    sockets = []
    notified.clear()
  },
  countNotified: (status: string): Notified => notified.get(status) ?? { count: 0, lastAt: 0 },
}

export type ReaderOrders = typeof orders

serveOrders(orders)
