import { once } from "node:events"
import { createServer as createHttpServer, type RequestListener } from "node:http"
import { createServer as createHttpsServer } from "node:https"
import type { AddressInfo } from "node:net"
import { fetchTransport, mtlsTransport } from "../../src/connection/transports.ts"
import type { Transport } from "../../src/connection/Transport.ts"
import { certificates, company } from "./openBank.ts"

export const transports: Readonly<
  Record<string, (listener: RequestListener) => Promise<readonly [Transport, string]>>
> = {
  "the host's fetch": async (listener) => {
    const server = createHttpServer(listener).listen(0, "127.0.0.1")
    await once(server.unref(), "listening")
    return [fetchTransport(fetch), `http://127.0.0.1:${(server.address() as AddressInfo).port}`]
  },
  mTLS: async (listener) => {
    const { authority, server: identity, clients } = await certificates()
    const server = createHttpsServer({ ...identity, ca: authority.ca }, listener).listen(0, "127.0.0.1")
    await once(server.unref(), "listening")
    const transport = mtlsTransport(() => ({ ...clients[company.cnpj], ca: authority.ca }))
    return [transport, `https://127.0.0.1:${(server.address() as AddressInfo).port}`]
  },
}
