import { once } from "node:events"
import { connect, type Socket } from "node:net"

/** A client that has sent only the first line of a request. The host can reset its connection at any time. */
export const openRequest = async (baseUrl: string, path: string): Promise<Socket> => {
  const client = connect(Number(new URL(baseUrl).port), "127.0.0.1")
  await once(client, "connect")
  client.on("error", () => {})
  client.write(`POST ${path} HTTP/1.1\r\n`)
  return client
}
