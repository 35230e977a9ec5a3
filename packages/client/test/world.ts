import { getRequestListener } from "@hono/node-server"
import { fetchHandler } from "@pixcharge/http"
import { actors, makeSandbox, type Mounted, mountServer } from "@pixcharge/adapter-tests/conformance"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createClient, type ClientOptions } from "../src/index.ts"

/** Replaces the service for one request; `goOn` forwards it. */
export type Fault = (request: IncomingMessage, response: ServerResponse, goOn: () => void) => void

/** A proxy's answer in front of the service. */
export const answers =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = "<html>"): Fault =>
  (_, response) =>
    void response.writeHead(status, headers).end(body)

export const resets: Fault = ({ socket }) => void socket.destroy()

/** Sends the head and a part of the body, then closes. */
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
    /** In the order of arrival. */
    requests,
    /** Faults for the next requests, one each. */
    fail: (...added: ReadonlyArray<Fault>) => void faults.push(...added),
    /** The fault for all other requests. */
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
