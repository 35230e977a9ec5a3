import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import type { LookupFunction } from "node:net"
import { rootCertificates } from "node:tls"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { checkUrl, ForbiddenUrl, hostOf, isOpenAddress, type NetworkPolicy, portOf } from "./networkPolicy.ts"
import { remembered } from "./remembered.ts"
import { type ResolveHost, resolveHost } from "./resolveHost.ts"
import {
  type Answer,
  answerLimit,
  connectLimitMs,
  headOf,
  NoAnswer,
  type Post,
  totalLimitMs,
  type Transport,
} from "./Transport.ts"

export interface GuardedFetchOptions extends NetworkPolicy {
  /** Certificates of authorities (PEM) to trust besides the public ones. */
  readonly ca?: string | ReadonlyArray<string>
  /** Finds the addresses of a name, in place of DNS. Every one of them is checked. */
  readonly resolve?: ResolveHost
}

type Finish = (outcome: Answer | NoAnswer) => void

/**
 * POSTs over `node:http(s)` so that a receiver's URL never becomes a way into the host's network: its text is checked,
 * every address that a name resolves to is checked where it is dialled, redirects are not followed, the answer and the
 * time are bounded, and no proxy of the environment is used. Connections are kept open and used again; each was checked
 * when it was dialled.
 */
export const guardedFetch = (options: GuardedFetchOptions = {}): Effect.Effect<Transport, never, Scope.Scope> => {
  const targetOf = remembered((text) => Result.map(checkUrl(text, options), toTarget))
  return Effect.map(acquireAgents(options), (agents) => ({
    send: (post) => {
      const target = targetOf(post.url)
      return Result.isFailure(target)
        ? Effect.fail(new NoAnswer({ reason: target.failure.message }))
        : begin(target.success, post, agents)
    },
  }))
}

/** One exchange, which its interruption or the end of the scope cuts short. */
const begin = (target: Target, post: Post, agents: Agents): Effect.Effect<Answer, NoAnswer> =>
  Effect.callback((resume) => {
    const giveUp = exchange(target, post, agents, (outcome) => {
      agents.underWay.delete(giveUp)
      resume(outcome instanceof NoAnswer ? Effect.fail(outcome) : Effect.succeed(outcome))
    })
    agents.underWay.add(giveUp)
    return Effect.sync(giveUp)
  })

const acquireAgents = (options: GuardedFetchOptions): Effect.Effect<Agents, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => makeAgents(options)),
    ({ http, https, underWay }) =>
      Effect.sync(() => {
        for (const giveUp of underWay) giveUp()
        http.destroy()
        https.destroy()
      }),
  )

type Agents = ReturnType<typeof makeAgents>

const makeAgents = (options: GuardedFetchOptions) => {
  const lookup = guardedLookup(options.resolve ?? resolveHost, options)
  const kept = { keepAlive: true, maxFreeSockets: 256, timeout: totalLimitMs, lookup }
  const tls = {
    // Said aloud, as NODE_TLS_REJECT_UNAUTHORIZED would decide otherwise.
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    ...(options.ca !== undefined && { ca: [...rootCertificates, ...[options.ca].flat()] }),
  } as const
  return {
    lookup,
    tls,
    http: new HttpAgent(kept),
    https: new HttpsAgent({ ...kept, ...tls }),
    /** Ends each exchange that is not over yet. */
    underWay: new Set<() => void>(),
  }
}

/** The address that is checked is the address that is dialled: there is no second look-up for DNS to change in between. */
const guardedLookup =
  (resolve: ResolveHost, policy: NetworkPolicy): LookupFunction =>
  (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses
        // One bad address condemns the name: which of them is dialled is not ours to choose.
        const forbidden = addresses.some((address) => !isOpenAddress(address, policy))
        if (first === undefined || forbidden) return callback(new ForbiddenUrl({ rule: "address" }), "", 0)
        if (!all) return callback(null, first, familyOf(first))
        return callback(
          null,
          addresses.map((address) => ({ address, family: familyOf(address) })),
        )
      },
      (error: unknown) => callback(error as Error, "", 0),
    )
  }

const familyOf = (address: string) => (address.includes(":") ? 6 : 4)

/** Makes one POST, calls back once, and answers with the way to give it up. */
const exchange = (target: Target, post: Post, agents: Agents, finish: Finish): (() => void) => {
  let current: ClientRequest | undefined
  let connectTimer: NodeJS.Timeout | undefined
  let isOver = false
  const end: Finish = (outcome) => {
    if (isOver) return
    isOver = true
    clearTimeout(connectTimer)
    clearTimeout(totalTimer)
    // After a whole answer the connection is back in the pool already, and stays open.
    current?.destroy()
    finish(outcome)
  }
  // Every request closes after its answer, too: an error that nobody sees costs as much as one that is read.
  const fail = (reason: string) => {
    if (!isOver) end(new NoAnswer({ reason }))
  }
  const totalTimer = setTimeout(fail, totalLimitMs, "no answer within 15 s")

  const dial = (fresh: boolean) => {
    const request = open(target, post, agents, fresh)
    let isAnswered = false
    current = request
    request.once("socket", (socket) => {
      if (request.reusedSocket) return
      connectTimer = setTimeout(fail, connectLimitMs, "no connection within 5 s")
      socket.once(target.isSecure ? "secureConnect" : "connect", () => clearTimeout(connectTimer))
    })
    request.once("response", (response) => {
      isAnswered = true
      receive(response, end)
    })
    request.on("error", (error) => {
      // A kept connection that the receiver closed meanwhile. If the event arrived all the same, its id says so.
      if (!isOver && !isAnswered && !fresh && request.reusedSocket && isReset(error)) return dial(true)
      return fail(reasonOf(error))
    })
    request.once("close", () => {
      if (current === request) fail("connection closed without an answer")
    })
    request.end(post.body)
  }
  dial(false)

  return () => fail("given up")
}

/** Where a URL leads, as `node:http` wants it: slow to find out, so that each URL is taken apart once. */
interface Target {
  readonly isSecure: boolean
  /** The header. */
  readonly host: string
  readonly options: RequestOptions
}

const toTarget = (url: URL): Target => ({
  isSecure: url.protocol === "https:",
  host: url.host,
  options: { method: "POST", host: hostOf(url), port: portOf(url), path: `${url.pathname}${url.search}` },
})

/** As a list, whole and in order: `node:http` takes an object apart, name by name, at a third of what a POST costs. */
const headersOf = (
  host: string,
  { headers, body }: Post,
  connection: "keep-alive" | "close",
): ReadonlyArray<string> => {
  const list = ["host", host, "connection", connection, "content-length", String(Buffer.byteLength(body))]
  for (const name in headers) list.push(name, headers[name] ?? "")
  return list
}

const open = ({ isSecure, host, options }: Target, post: Post, agents: Agents, fresh: boolean): ClientRequest => {
  if (!fresh) {
    const headers = headersOf(host, post, "keep-alive")
    return isSecure
      ? httpsRequest({ ...options, headers, agent: agents.https })
      : httpRequest({ ...options, headers, agent: agents.http })
  }
  const unpooled = { ...options, headers: headersOf(host, post, "close"), agent: false, lookup: agents.lookup }
  return isSecure ? httpsRequest({ ...unpooled, ...agents.tls }) : httpRequest(unpooled)
}

const receive = (response: IncomingMessage, end: Finish): void => {
  const kept: Array<Buffer> = []
  let size = 0
  const answer = (): Answer => {
    const retryAfter = response.headers["retry-after"]
    return { status: response.statusCode ?? 0, head: headOf(kept), ...(retryAfter !== undefined && { retryAfter }) }
  }
  response.on("data", (chunk: Buffer) => {
    if (size < 1024) kept.push(chunk)
    size += chunk.length
    if (size > answerLimit) end(answer())
  })
  response.once("end", () => end(answer()))
  response.once("error", () => end(new NoAnswer({ reason: "connection lost in mid-answer" })))
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined

const isReset = (error: unknown): boolean => {
  const code = codeOf(error)
  return code === "ECONNRESET" || code === "EPIPE"
}

const reasonOf = (error: Error): string =>
  error instanceof ForbiddenUrl ? error.message : (codeOf(error) ?? error.name)
