import { memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import type { Server } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { issueBody } from "../../world/sandbox.ts"
import { type Operation, openShop } from "./openShop.ts"
import type { ServerOf } from "./servers.ts"

export interface ServedShop extends AsyncDisposable {
  readonly server: Server
  readonly operations: Readonly<Record<"issue" | "status", Operation>>
}

/** Serves a shop to a client with callbacks, whose only promise is the result. Each answer must come in one piece. */
export const serveShop = async (serverOf: ServerOf): Promise<ServedShop> => {
  const shop = await openShop(memoryStore())
  const server = await serverOf(shop.pix)
  await once(server.listen(0, "127.0.0.1"), "listening")
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
  await once(socket, "connect")
  const headers = `Host: localhost\r\nAuthorization: Bearer ${shop.token}\r\n`
  const ask = (status: number, request: string) =>
    new Promise<void>((resolve, reject) => {
      socket.once("data", (data) => {
        const answer = data.toString()
        if (answer.startsWith(`HTTP/1.1 ${status} `)) resolve()
        else reject(new Error(answer))
      })
      socket.write(request)
    })
  const issue = (id: string) => {
    const body = issueBody(id)
    return ask(200, `POST /api/pix HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`)
  }
  const issueNew = async () => {
    const id = randomUUID()
    await issue(id)
    return id
  }
  return {
    server,
    operations: {
      issue: { prepare: () => Promise.resolve(randomUUID()), run: issue },
      status: { prepare: issueNew, run: (id) => ask(410, `GET /api/pix/${id} HTTP/1.1\r\n${headers}\r\n`) },
    },
    [Symbol.asyncDispose]: async () => {
      socket.destroy()
      server.close()
      await once(server, "close")
      await shop[Symbol.asyncDispose]()
    },
  }
}
