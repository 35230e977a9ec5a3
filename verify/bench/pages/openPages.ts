import { connect, type Socket } from "node:net"

/** What the process is asked: to open these pages, to close them all, or how many were told of a status, and when last. */
export type ReadersOrder =
  | { readonly _tag: "Open"; readonly port: number; readonly paths: ReadonlyArray<string> }
  | { readonly _tag: "Close" }
  | { readonly _tag: "Told"; readonly status: string }

/** How many pages were told, and when the last of them was, in epoch milliseconds. */
export interface Told {
  readonly count: number
  readonly lastAt: number
}

/** A burst of connections would be refused: so many are under way at once. */
const atOnce = 200

const told = new Map<string, { count: number; lastAt: number }>()
let sockets: Array<Socket> = []

const note = (chunk: string): void => {
  for (const [, status = ""] of chunk.matchAll(/"status":"(\w+)"/g)) {
    const known = told.get(status) ?? { count: 0, lastAt: 0 }
    told.set(status, { count: known.count + 1, lastAt: Date.now() })
  }
}

/** Opens a page; resolves with its first event. */
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

const openAll = async (port: number, paths: ReadonlyArray<string>): Promise<void> => {
  const rest = [...paths]
  const work = async (): Promise<void> => {
    for (let path = rest.pop(); path !== undefined; path = rest.pop()) await open(port, path)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

const carryOut = async (order: ReadersOrder): Promise<Told> => {
  if (order._tag === "Told") return told.get(order.status) ?? { count: 0, lastAt: 0 }
  if (order._tag === "Open") await openAll(order.port, order.paths)
  else {
    for (const socket of sockets) socket.destroy()
    sockets = []
    told.clear()
  }
  return { count: sockets.length, lastAt: Date.now() }
}

process.on("message", (order: ReadersOrder) => void carryOut(order).then((answer) => process.send?.(answer)))
process.on("disconnect", () => process.exit())
