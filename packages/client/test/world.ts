import { getRequestListener } from "@hono/node-server"
import { fetchHandler } from "@pixcharge/http"
import { actors, makeSandbox, type Mounted, mountServer } from "@pixcharge/adapter-tests/conformance"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createClient, type ClientOptions } from "../src/index.ts"

/** What the next request meets instead of the service; it may go on to it. */
export type Fault = (request: IncomingMessage, response: ServerResponse, goOn: () => void) => void

/** Returns a status, as a proxy before the service does. */
export const answers =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = "<html>"): Fault =>
  (_, response) =>
    void response.writeHead(status, headers).end(body)

export const resets: Fault = ({ socket }) => void socket.destroy()

/** Sends the head and a part of the body, and then nothing. */
export const breaksOff: Fault = ({ socket }, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" }).write('{"sucesso":')
  setImmediate(() => socket.destroy())
}

export const hangs: Fault = () => undefined

/** The real service behind a server that can fail. */
export const openWorld = async () => {
  const pix = await makeSandbox()
  const listener = getRequestListener(fetchHandler(pix))
  const faults: Array<Fault> = []
  const requests: Array<string> = []
  let always: Fault | undefined
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const goOn = (): void => void listener(request, response)
    const fault = faults.shift() ?? always
    if (fault === undefined) goOn()
    else fault(request, response, goOn)
  })
  const front: Mounted = await mountServer(server, "", false)
  const { cnpj, key } = actors.shop
  return {
    pix,
    cnpj,
    key,
    baseUrl: front.baseUrl,
    /** Every request that came, in order. */
    requests,
    /** The next requests meet these, one after the other. */
    fail: (...added: ReadonlyArray<Fault>) => void faults.push(...added),
    /** All requests meet this that meet nothing else. */
    failAlways: (fault: Fault | undefined) => {
      always = fault
    },
    client: (over: Partial<ClientOptions> = {}) =>
      createClient({ baseUrl: front.baseUrl, cnpj, key, ...over } as ClientOptions),
    close: async () => {
      await front.close()
      await pix.dispose()
    },
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>
