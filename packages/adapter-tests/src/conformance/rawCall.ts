import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { type Answer, parseJson } from "./HttpClient.ts"

/**
 * Makes one call with exactly this request line and body, over a new socket, because clients change or refuse some targets and
 * bodies.
 */
export const rawCall = async (
  baseUrl: string,
  requestLine: string,
  headers: Readonly<Record<string, string>> = {},
  body = "",
): Promise<Answer> => {
  const { hostname, port, host } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  const lines = Object.entries({ host, connection: "close", ...headers }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`${[`${requestLine} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n${body}`, "latin1")
  const [head = "", ...rest] = (await text(socket)).split("\r\n\r\n")
  const [statusLine = "", ...fields] = head.split("\r\n")
  const answerBody = rest.join("\r\n\r\n")
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: Object.fromEntries(
      fields.map((field) => [field.split(":", 1)[0]?.toLowerCase(), field.slice(field.indexOf(":") + 1).trim()]),
    ),
    text: answerBody,
    json: parseJson(answerBody),
  }
}
