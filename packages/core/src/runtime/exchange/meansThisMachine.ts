/** Another site can let its own name resolve to this machine, but can't change the `Host` header. */
const ownHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/** Headers of proxies. Behind a proxy, the host isn't the one that the caller named. */
const forwarding = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"] as const

/**
 * Whether a request names this machine, and comes through no proxy.
 *
 * `target` is the target of its request line: in `GET http://evil.example/` that name counts, and not the `Host` header (RFC 9112
 * §3.2.2).
 */
export const meansThisMachine = (target: string, header: (name: string) => string | undefined): boolean =>
  target.startsWith("/") && ownHost.test(header("host") ?? "") && forwarding.every((name) => header(name) === undefined)
