import { isIPv6 } from "node:net"

/** An IPv4 address that a socket of IPv6 shows, `::ffff:192.0.2.1`. */
const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** An address as some proxies give it: with a port, and one of IPv6 in brackets. */
const written = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([^\]]*)\](?::\d+)?)$/

/** Longer than any address. */
const maxLength = 64

/** The groups of an IPv6 address; an IPv4 address at its end is one, so that there may be a zero too many behind. */
const readGroups = (address: string): ReadonlyArray<string> => {
  const [head = [], tail = []] = address.split("::", 2).map((part) => part.split(":").filter((group) => group !== ""))
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => "0"), ...tail]
}

/**
 * What one caller has at least: an IPv4 address, or the first 64 bits of an IPv6 address, with or without a port. Of other texts
 * their beginning.
 */
export const addressBlock = (text: string): string => {
  const [, withPort, bracketed] = written.exec(text) ?? []
  const address = withPort ?? bracketed ?? text
  const [, ipv4] = mapped.exec(address) ?? []
  if (ipv4 !== undefined || !isIPv6(address)) return ipv4 ?? address.slice(0, maxLength)
  const [withoutZone = ""] = address.split("%", 1)
  const groups = readGroups(withoutZone).slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")
}
