import { connect } from "node:net"
import type { Answer } from "@pixcharge/adapter-tests/conformance"

export const sendBytes = (url: string, writes: ReadonlyArray<string>): Promise<string> =>
  new Promise((resolve) => {
    const received: Array<Buffer> = []
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    socket.on("data", (data) => received.push(data))
    // The server can refuse a request by closing the connection during a write.
    socket.on("error", () => undefined)
    socket.on("close", () => resolve(Buffer.concat(received).toString("latin1")))
    for (const text of writes) socket.write(Buffer.from(text, "latin1"))
    socket.end()
  })

const head = /^HTTP\/1\.1 (\d{3})[^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const readChunks = (text: string): readonly [body: string, rest: string] | undefined => {
  const [line, size = ""] = /^([\da-f]+)\r\n/i.exec(text) ?? []
  if (line === undefined) return undefined
  const end = line.length + Number.parseInt(size, 16)
  const rest = text.slice(end + 2)
  if (end === line.length) return ["", rest]
  const more = readChunks(rest)
  return more && [text.slice(line.length, end) + more[0], more[1]]
}

const readBody = (headers: Readonly<Record<string, string>>, text: string): readonly [body: string, rest: string] => {
  const end = Number(headers["content-length"] ?? 0)
  const chunks = headers["transfer-encoding"] === "chunked" ? readChunks(text) : undefined
  return chunks ?? [text.slice(0, end), text.slice(end)]
}

export const readAnswers = (received: string): { readonly answers: ReadonlyArray<Answer>; readonly rest: string } => {
  const answers: Array<Answer> = []
  let rest = received
  for (let found = head.exec(rest); found !== null; found = head.exec(rest)) {
    const [whole, status, lines = ""] = found
    const headers = Object.fromEntries(
      [...lines.matchAll(/([^:]+): ?(.*)\r\n/g)].map(([, name = "", value = ""]) => [name.toLowerCase(), value]),
    )
    const [body, next] = readBody(headers, rest.slice(whole.length))
    const text = Buffer.from(body, "latin1").toString()
    rest = next
    // Skips an interim answer, which the final answer follows.
    if (Number(status) >= 200) answers.push({ status: Number(status), headers, text, json: parseJson(text) })
  }
  return { answers, rest }
}
