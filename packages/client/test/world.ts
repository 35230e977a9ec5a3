import { getRequestListener } from "@hono/node-server"
import { fetchHandler } from "@pixcharge/http"
import { actors, makeSandbox, type Mounted, mountServer } from "@pixcharge/adapter-tests/conformance"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createClient, type ClientOptions } from "../src/index.ts"

/** Replaces the service for one request. `forward` passes the request on to the service. */
export type Fault = (request: IncomingMessage, response: ServerResponse, forward: () => void) => void

/** An answer as a proxy in front of the service gives it. */
export const answers =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = "<html>"): Fault =>
  (_, response) =>
    void response.writeHead(status, headers).end(body)

export const resets: Fault = ({ socket }) => void socket.destroy()

/** Sends the head and a part of the body, and then closes the connection. */
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
    const forward = (): void => void listener(request, response)
    const fault = faults.shift() ?? always
    if (fault === undefined) forward()
    else fault(request, response, forward)
  })
  const front: Mounted = await mountServer(server, "", false)
  const { cnpj, key } = actors.shop
  return {
    pix,
    cnpj,
    key,
    baseUrl: front.baseUrl,
    /** The requests, in the order of arrival. */
    requests,
    /** Adds faults for the next requests, one for each request. */
    fail: (...added: ReadonlyArray<Fault>) => void faults.push(...added),
    /** Sets the fault of all requests without an added fault. */
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
