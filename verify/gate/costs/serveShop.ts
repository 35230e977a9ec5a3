import { memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import type { Server } from "node:http"
import { callOverSocket } from "./callOverSocket.ts"
import { issueBody, type Operation, openShop } from "./openShop.ts"
import type { ServerOf } from "./servers.ts"

export interface ServedShop extends AsyncDisposable {
  readonly server: Server
  readonly operations: Readonly<Record<"issue" | "status", Operation>>
}

export const serveShop = async (serverOf: ServerOf): Promise<ServedShop> => {
  const shop = await openShop(memoryStore())
  const server = await serverOf(shop.pix)
  const client = await callOverSocket(server)
  const headers = `Host: localhost\r\nAuthorization: Bearer ${shop.token}\r\n`
  const ask = (status: number, request: string) =>
    new Promise<void>((resolve, reject) => {
      client.ask(request, (answer) =>
        answer.startsWith(`HTTP/1.1 ${status} `) ? resolve() : reject(new Error(answer)),
      )
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
      await client.close()
      await shop[Symbol.asyncDispose]()
    },
  }
}
