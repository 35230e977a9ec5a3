import type { Exchange } from "@pixcharge/core"

const loopback = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/i

/** A page of another site can make its own name resolve to this machine, but not change what `Host` says. */
const ownHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/** What a proxy adds: behind one, neither address nor host are the caller's own. */
const forwarding = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"] as const

/**
 * Whether a request comes from a program of this machine that meant this machine: from a loopback address, through no proxy,
 * to a host of that name. Where the binding doesn't know who calls, nobody is let in.
 */
export const isFromThisMachine = (exchange: Exchange): boolean =>
  loopback.test(exchange.address ?? "") &&
  ownHost.test(exchange.header("host") ?? "") &&
  forwarding.every((name) => exchange.header(name) === undefined)
