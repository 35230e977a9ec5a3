import { randomUUID } from "node:crypto"
import { connect, type Socket } from "node:net"
import { issueBody } from "../../world/sandbox.ts"

interface Load {
  readonly port: number
  readonly token: string
  readonly connections: number
  readonly durationMs: number
  readonly kind: "issue" | "status"
  readonly ids: ReadonlyArray<string>
}

interface Answers {
  readonly count: number
  readonly elapsedMs: number
}

const requestText = ({ kind, token, ids }: Load, turn: number): string => {
  const head = `Host: localhost\r\nAuthorization: Bearer ${token}\r\n`
  if (kind === "status") return `GET /api/pix/${ids[turn % ids.length]} HTTP/1.1\r\n${head}\r\n`
  const body = issueBody(randomUUID())
  return `POST /api/pix HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

const contentLength = /content-length: (\d+)/i

/** The length of the first answer in bytes; 0 if it isn't complete. */
const answerLength = (received: Buffer): number => {
  const end = received.indexOf("\r\n\r\n")
  if (end < 0) return 0
  const head = received.toString("latin1", 0, end)
  const length = Number(contentLength.exec(head)?.[1] ?? 0)
  if (!/^HTTP\/1\.1 (200|410)/.test(head)) throw new Error(`unexpected answer: ${head.split("\r\n", 1)[0]}`)
  const whole = end + 4 + length
  return received.length >= whole ? whole : 0
}

/** Sends one request after another on each connection. The client does as little work as possible. */
export const load = (plan: Load): Promise<Answers> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    let count = 0
    let open = plan.connections
    let turn = 0
    const ask = (socket: Socket) => socket.write(requestText(plan, turn++))
    for (let index = 0; index < plan.connections; index++) {
      const socket = connect(plan.port, "127.0.0.1", () => ask(socket))
      let received = Buffer.alloc(0)
      socket.setNoDelay(true)
      socket.on("error", reject)
      socket.on("data", (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
        try {
          const whole = answerLength(received)
          if (whole === 0) return
          received = received.subarray(whole)
        } catch (error) {
          return reject(error)
        }
        count++
        if (performance.now() - began < plan.durationMs) return void ask(socket)
        socket.destroy()
        if (--open === 0) resolve({ count, elapsedMs: performance.now() - began })
      })
    }
  })

export const issueOnce = async (plan: Pick<Load, "port" | "token"> & { readonly count: number }) => {
  const ids = Array.from({ length: plan.count }, () => randomUUID())
  const headers = { authorization: `Bearer ${plan.token}`, "content-type": "application/json" }
  await Promise.all(
    ids.map(async (id) => {
      const url = `http://127.0.0.1:${plan.port}/api/pix`
      const response = await fetch(url, { method: "POST", headers, body: issueBody(id) })
      if (response.status !== 200) throw new Error(`a charge was not issued: ${response.status}`)
    }),
  )
  return ids
}
