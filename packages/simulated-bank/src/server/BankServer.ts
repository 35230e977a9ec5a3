import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import type { TLSSocket } from "node:tls"
import type { BankOptions, BankWays } from "../wire/BankOptions.ts"
import { type BankAnswer, type BankRequest, type Caller, problem } from "../wire/BankRequest.ts"
import { encodeAnswer } from "../wire/json.ts"
import type { BankFault, BankFaults, HeldFault, LateAnswer, SlowFault } from "./BankFaults.ts"
import { readRequest } from "./makeHandler.ts"

export interface BankExchange {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly request: unknown
  readonly status: number
  readonly contentType: string
  readonly answer: unknown
}

const readText = async (message: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

const tlsCaller = ({ socket }: IncomingMessage): Caller => {
  if (!("getPeerCertificate" in socket)) return {}
  const { subject, fingerprint256 } = (socket as TLSSocket).getPeerCertificate()
  // Without a certificate, the peer certificate is an empty object.
  return subject === undefined ? {} : { commonName: String(subject.CN), fingerprint: fingerprint256 }
}

/** The request's URL; undefined if the target isn't a URL. A target can begin with two slashes, or be an absolute URL. */
const readAddress = ({ url = "/", headers: { host = "bank.invalid" } }: IncomingMessage): URL | undefined => {
  const address = url.startsWith("/") ? `http://${host}${url}` : url
  return URL.canParse(address) ? new URL(address) : undefined
}

const parseBody = (text: string): unknown => {
  try {
    return text === "" ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

const write = (response: ServerResponse, answer: BankAnswer, ways: BankWays): void => {
  const { status, headers, bytes } = encodeAnswer(answer, ways)
  response.writeHead(status, headers).end(bytes)
}

/** A fault whose call gets no answer or a wrong answer. */
type WrongAnswer = Exclude<BankFault, LateAnswer>

const isWrong = (fault: BankFault): fault is WrongAnswer => fault._tag !== "Slow" && fault._tag !== "Held"

const fail = (response: ServerResponse, fault: WrongAnswer): void => {
  switch (fault._tag) {
    case "RequestLost":
    case "AnswerLost":
      response.destroy()
      return
    case "Hangs":
    case "HangsAfter":
      return
    case "Status":
      response
        .writeHead(fault.status, { ...(fault.retryAfter !== undefined && { "retry-after": fault.retryAfter }) })
        .end()
      return
    case "Garbage":
      response.writeHead(200, { "content-type": "text/html" }).end("<html>manutenção</html>")
  }
}

const isApplied = (fault: BankFault): boolean =>
  fault._tag === "AnswerLost" ||
  fault._tag === "HangsAfter" ||
  fault._tag === "Garbage" ||
  (fault._tag === "Status" && fault.applied === true)

const makeServer = (
  { tls }: BankOptions,
  { certificate }: BankWays,
  serve: (message: IncomingMessage, response: ServerResponse) => void,
): Server =>
  tls === undefined
    ? createServer(serve)
    : createTlsServer(
        certificate === "none"
          ? { key: tls.key, cert: tls.cert, minVersion: "TLSv1.2" }
          : { ...tls, requestCert: true, rejectUnauthorized: true, minVersion: "TLSv1.2" },
        serve,
      )

interface Counter {
  free: number
  readonly waiting: Array<() => void>
}

/** The counters of a slow bank: callers wait until one is free. */
class Counters {
  readonly #bySlowness = new Map<SlowFault, Counter>()

  async enter(slow: SlowFault): Promise<void> {
    const counter = this.#bySlowness.get(slow) ?? { free: slow.atOnce ?? Number.POSITIVE_INFINITY, waiting: [] }
    this.#bySlowness.set(slow, counter)
    if (counter.free-- <= 0) await new Promise<void>((resolve) => counter.waiting.push(resolve))
  }

  leave(slow: SlowFault): void {
    const counter = this.#bySlowness.get(slow)
    if (counter === undefined) return
    counter.free++
    counter.waiting.shift()?.()
  }
}

/** Answers calls. Repeats of a held call can get a fixed status until its release. */
class HeldCalls {
  readonly #answer: (request: BankRequest) => Promise<BankAnswer>
  /** The status for repeats of a call that is under way, by method and path. */
  readonly #statuses = new Map<string, number>()
  readonly #counters = new Counters()

  constructor(answer: (request: BankRequest) => Promise<BankAnswer>) {
    this.#answer = answer
  }

  /** Delays the answer as the call's fault says. */
  async answerLate(request: BankRequest, fault: LateAnswer | undefined): Promise<BankAnswer> {
    if (fault?._tag === "Held") return this.#hold(request, fault)
    if (fault === undefined) return this.answer(request)
    await this.#counters.enter(fault)
    const result = await this.answer(request)
    await setTimeout(fault.ms, undefined, { ref: false })
    this.#counters.leave(fault)
    return result
  }

  async #hold(request: BankRequest, { released, arrive, meanwhile }: HeldFault): Promise<BankAnswer> {
    const key = `${request.method} ${request.path}`
    if (meanwhile !== undefined) this.#statuses.set(key, meanwhile)
    arrive()
    await released
    this.#statuses.delete(key)
    return this.#answer(request)
  }

  async answer(request: BankRequest): Promise<BankAnswer> {
    const status = this.#statuses.get(`${request.method} ${request.path}`)
    return status === undefined
      ? this.#answer(request)
      : problem(status, "RequisicaoInvalida", "the same call is under way")
  }
}

/** Listens on 127.0.0.1, by default on a free port. Rejects if the server can't listen. */
export const listen = async (server: Server, port = 0) => {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { port: (server.address() as AddressInfo).port, close }
}

/** Starts an HTTP(S) server on 127.0.0.1. Rejects if it can't listen. */
export const startServer = async (
  options: BankOptions,
  ways: BankWays,
  faults: BankFaults,
  answer: (request: BankRequest) => Promise<BankAnswer>,
) => {
  const exchanges: Array<BankExchange> = []
  const calls = new HeldCalls(answer)

  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader("date", new Date(options.now?.() ?? Date.now()).toUTCString())
    const { method: verb = "", headers } = message
    const at = readAddress(message)
    if (at === undefined) return void response.writeHead(400).end()
    const request = readRequest(ways, at, {
      method: verb,
      headers,
      text: await readText(message),
      caller: tlsCaller(message),
    })
    const { method, path, query } = request
    const fault = faults.take(request)
    if (fault !== undefined && isWrong(fault)) {
      if (isApplied(fault)) await calls.answer(request)
      fail(response, fault)
      return
    }
    if (fault?._tag === "Held" && fault.isCut === true) response.destroy()
    const result = await calls.answerLate(request, fault)
    if (response.destroyed) return
    write(response, result, ways)
    exchanges.push({
      method,
      path,
      query: query.toString(),
      request: parseBody(request.text),
      status: result.status,
      contentType: result.contentType ?? "application/json",
      answer: result.body,
    })
  }

  const server = makeServer(options, ways, (message, response) => {
    serve(message, response).catch(() => response.destroy())
  })
  const { port, close } = await listen(server, options.port)
  const scheme = options.tls === undefined ? "http" : "https"
  return { baseUrl: `${scheme}://127.0.0.1:${port}`, exchanges, forget: () => void exchanges.splice(0), close }
}
