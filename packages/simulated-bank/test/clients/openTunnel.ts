import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import type { Duplex } from "node:stream"

/** A proxy that connects every host to one port of this machine, so a client can call its bank by host name. */
export const openTunnel = async (port: number) => {
  const sockets = new Set<Duplex>()
  const server = createServer().on("connect", (_, client: Duplex, head: Buffer) => {
    const bank = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n")
      bank.write(head)
      client.pipe(bank).pipe(client)
    })
    for (const socket of [client, bank]) sockets.add(socket.on("error", () => undefined))
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const close = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
