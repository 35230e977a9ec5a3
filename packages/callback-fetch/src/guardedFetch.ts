import { Pieces } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import type { LookupFunction } from "node:net"
import { createSecureContext, rootCertificates } from "node:tls"
import {
  type Answer,
  answerLimitBytes,
  connectLimitMs,
  NoAnswer,
  type Post,
  readHead,
  totalLimitMs,
  type Transport,
} from "./Transport.ts"
import { memoize } from "./memoize.ts"
import { checkUrl, ForbiddenUrl, isOpenAddress, type NetworkPolicy, urlHost, urlPort } from "./networkPolicy.ts"
import { errorCode, type ResolveHost, resolveHost } from "./resolveHost.ts"

export interface GuardedFetchOptions extends NetworkPolicy {
  /** Certificates of authorities (PEM) to trust in addition to the public authorities. */
  readonly ca?: string | ReadonlyArray<string>
  /** Resolves names instead of DNS. Every address is checked. */
  readonly resolve?: ResolveHost
}

type Finish = (outcome: Answer | NoAnswer) => void

/**
 * A transport over `node:http(s)` that resists server-side request forgery. It checks the URL's text, and every address of its
 * name when it dials. It follows no redirects and ignores proxies of the environment. It limits the answer to 64 KiB, after at
 * most 16 informational responses, connecting to 5 s, and the whole attempt to 15 s. It reuses connections; the end of the
 * Scope closes them.
 */
export const guardedFetch = (options: GuardedFetchOptions = {}): Effect.Effect<Transport, never, Scope.Scope> => {
  const parseTarget = memoize((text) => Result.map(checkUrl(text, options), toTarget))
  const acquired = Effect.acquireRelease(
    Effect.sync(() => makeAgents(options)),
    (agents) => Effect.sync(() => closeAgents(agents)),
  )
  return Effect.map(acquired, (agents) => ({
    send: (post) => {
      const target = parseTarget(post.url)
      return Result.isFailure(target)
        ? Effect.fail(new NoAnswer({ reason: `the callback URL is not allowed: ${target.failure.rule}` }))
        : begin(target.success, post, agents)
    },
  }))
}

const begin = (target: Target, post: Post, agents: Agents): Effect.Effect<Answer, NoAnswer> =>
  Effect.callback((resume) => {
    const abort = exchange(target, post, agents, (outcome) => {
      agents.underWay.delete(abort)
      resume(outcome instanceof NoAnswer ? Effect.fail(outcome) : Effect.succeed(outcome))
    })
    agents.underWay.add(abort)
    return Effect.sync(abort)
  })

type Agents = ReturnType<typeof makeAgents>

const minVersion = "TLSv1.2"

/** TLS options that trust these authorities. Node would parse a plain `ca` for each connection, and use it in the pool's key. */
const makeTrusting = (ca: Array<string>) => ({ secureContext: createSecureContext({ ca, minVersion }) })

const makeAgents = (options: GuardedFetchOptions) => {
  const lookup = guardedLookup(options.resolve ?? resolveHost, options)
  const agentOptions = { keepAlive: true, timeout: totalLimitMs, lookup }
  const tls = {
    // NODE_TLS_REJECT_UNAUTHORIZED must not disable the check.
    rejectUnauthorized: true,
    minVersion,
    ...(options.ca !== undefined && makeTrusting([...rootCertificates, ...[options.ca].flat()])),
  } as const
  return {
    lookup,
    tls,
    http: new HttpAgent(agentOptions),
    https: new HttpsAgent({ ...agentOptions, ...tls }),
    underWay: new Set<() => void>(),
  }
}

const closeAgents = ({ http, https, underWay }: Agents): void => {
  for (const abort of underWay) abort()
  http.destroy()
  https.destroy()
}

/** A second look-up could find a different address. */
const guardedLookup =
  (resolve: ResolveHost, policy: NetworkPolicy): LookupFunction =>
  (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses
        // One bad address forbids the name, because Node chooses the address that it dials.
        const forbidden = addresses.some((address) => !isOpenAddress(address, policy))
        if (first === undefined || forbidden) return callback(new ForbiddenUrl({ rule: "address" }), [])
        if (!all) return callback(null, first, addressFamily(first))
        return callback(
          null,
          addresses.map((address) => ({ address, family: addressFamily(address) })),
        )
      },
      (error: unknown) => callback(error as Error, []),
    )
  }

const addressFamily = (address: string) => (address.includes(":") ? 6 : 4)

const maxInformational = 16

const resetCodes = new Set<unknown>(["ECONNRESET", "EPIPE"])

const exchange = (target: Target, post: Post, agents: Agents, finish: Finish): (() => void) => {
  let current: ClientRequest | undefined
  let connectTimer: NodeJS.Timeout | undefined
  let isOver = false
  const end: Finish = (outcome) => {
    if (isOver) return
    isOver = true
    clearTimeout(connectTimer)
    clearTimeout(totalTimer)
    // After a whole answer, the connection is already back in the pool and stays open.
    current?.destroy()
    finish(outcome)
  }
  const fail = (reason: string) => {
    if (!isOver) end(new NoAnswer({ reason }))
  }
  const totalTimer = setTimeout(fail, totalLimitMs, "no answer within 15 s")

  const dial = (fresh: boolean) => {
    const request = open(target, post, agents, fresh)
    let isAnswered = false
    let informational = 0
    current = request
    request.once("socket", (socket) => {
      if (request.reusedSocket) return
      connectTimer = setTimeout(fail, connectLimitMs, "no connection within 5 s")
      socket.once(target.isSecure ? "secureConnect" : "connect", () => clearTimeout(connectTimer))
    })
    // Endless informational responses would keep the parser busy until the time limit.
    request.on("information", () => {
      if (++informational > maxInformational) fail(`more than ${maxInformational} informational responses`)
    })
    request.once("response", (response) => {
      isAnswered = true
      receive(response, end)
    })
    request.on("error", (error) => {
      // The receiver closed a kept connection. If it got the event anyway, it recognises the repeat by the event's id.
      if (!isOver && !isAnswered && request.reusedSocket && resetCodes.has(errorCode(error))) return dial(true)
      return fail(failureReason(error))
    })
    request.once("close", () => {
      if (current !== request) return
      fail(isAnswered ? "connection lost in mid-answer" : "connection closed without an answer")
    })
    request.end(post.body)
  }
  dial(false)

  return () => fail("given up")
}

/** A parsed URL. It is kept, because parsing is slow. */
interface Target {
  readonly isSecure: boolean
  readonly host: string
  readonly options: RequestOptions
}

const toTarget = (url: URL): Target => ({
  isSecure: url.protocol === "https:",
  host: url.host,
  options: { method: "POST", host: urlHost(url), port: urlPort(url), path: `${url.pathname}${url.search}` },
})

/** The headers as a list, because `node:http` checks every name of an object, which takes a third of a POST's time. */
const headerList = (
  host: string,
  { headers, body }: Post,
  connection: "keep-alive" | "close",
): ReadonlyArray<string> => {
  const list = ["host", host, "connection", connection, "content-length", String(Buffer.byteLength(body))]
  for (const [name, value] of Object.entries(headers)) list.push(name, value)
  return list
}

const open = ({ isSecure, host, options }: Target, post: Post, agents: Agents, fresh: boolean): ClientRequest => {
  const request = isSecure ? httpsRequest : httpRequest
  const headers = headerList(host, post, fresh ? "close" : "keep-alive")
  if (!fresh) return request({ ...options, headers, agent: isSecure ? agents.https : agents.http })
  return request({ ...options, ...agents.tls, headers, agent: false, lookup: agents.lookup })
}

/** Faster than `readUpTo`, whose iterator takes several ticks: most answers have one chunk. */
const receive = (response: IncomingMessage, end: Finish): void => {
  const pieces = new Pieces(answerLimitBytes)
  const answer = (): Answer => {
    const retryAfter = response.headers["retry-after"]
    return {
      status: response.statusCode as number,
      head: readHead(pieces.join()),
      ...(retryAfter !== undefined && { retryAfter }),
    }
  }
  response.on("data", (piece: Buffer) => {
    if (!pieces.add(piece)) end(answer())
  })
  response.once("end", () => end(answer()))
}

const failureReason = (error: Error): string =>
  error instanceof ForbiddenUrl ? error.message : (errorCode(error) ?? error.name)
