import type { Exchange } from "@pixcharge/core"

const loopback = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/i

/** A page of another site can make its own name resolve to this machine, but not change what `Host` says. */
const ownHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/** What a proxy adds: behind one, neither address nor host are the caller's own. */
const forwarding = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"] as const

/** What a framework's request keeps of the first line, for those that leave the host of an absolute target out. */
interface KnownRequests {
  readonly originalUrl?: unknown
  readonly raw?: { readonly url?: unknown }
  readonly env?: { readonly incoming?: { readonly url?: unknown } }
}

/** What is asked about a request, as an exchange has it. */
export type Visit = Pick<Exchange, "address" | "url" | "header" | "frameworkRequest">

/** `GET http://evil.example/`: that name would count, and not what `Host` says (RFC 9112 §3.2.2). */
const hasAbsoluteTarget = ({ url, frameworkRequest }: Visit): boolean => {
  const { originalUrl, raw, env } = Object(frameworkRequest) as KnownRequests
  const target = originalUrl ?? raw?.url ?? env?.incoming?.url ?? url
  return typeof target !== "string" || !target.startsWith("/")
}

/**
 * Whether a request comes from a program of this machine that meant this machine: from a loopback address, through no proxy,
 * to a host of that name. Where the binding doesn't know who calls, nobody is let in.
 */
export const isFromThisMachine = (exchange: Visit): boolean =>
  loopback.test(exchange.address ?? "") &&
  ownHost.test(exchange.header("host") ?? "") &&
  !hasAbsoluteTarget(exchange) &&
  forwarding.every((name) => exchange.header(name) === undefined)
