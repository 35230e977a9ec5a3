import type { Exchange } from "@pixcharge/core"

const loopback = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/i

/** Another site can let its own name resolve to this machine, but can't change the `Host` header. */
const ownHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/** Headers of proxies. Behind a proxy, address and host aren't the caller's. */
const forwarding = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"] as const

/** The request line as frameworks keep it, for those that leave out the host of an absolute target. */
interface KnownRequests {
  readonly originalUrl?: unknown
  readonly raw?: { readonly url?: unknown }
  readonly env?: { readonly incoming?: { readonly url?: unknown } }
}

/** The parts of a request that matter here, as an exchange has them. */
export type Visit = Pick<Exchange, "address" | "url" | "header" | "frameworkRequest">

/** `GET http://evil.example/`: that name counts, and not the `Host` header (RFC 9112 §3.2.2). */
const hasAbsoluteTarget = ({ url, frameworkRequest }: Visit): boolean => {
  const { originalUrl, raw, env } = Object(frameworkRequest) as KnownRequests
  const target = originalUrl ?? raw?.url ?? env?.incoming?.url ?? url
  return typeof target !== "string" || !target.startsWith("/")
}

/**
 * Whether a request comes from this machine and was meant for it.
 *
 * Its address must be a loopback one, its host a name of that, and there must be no proxy. Without an address of the caller the
 * answer is false.
 */
export const isFromThisMachine = (exchange: Visit): boolean =>
  loopback.test(exchange.address ?? "") &&
  ownHost.test(exchange.header("host") ?? "") &&
  !hasAbsoluteTarget(exchange) &&
  forwarding.every((name) => exchange.header(name) === undefined)
