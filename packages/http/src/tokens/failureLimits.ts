import { makeRecentMap } from "@pixcharge/core/internal"
import { isIPv6 } from "node:net"

const windowMs = 600_000
const maxPerAddress = 100
const maxPerAddressAndCompany = 20
/** What is counted fits in a few megabytes; beyond it the keys that failed last are kept. */
const maxKeys = 20_000

interface Window {
  count: number
  /** On the monotonic clock. */
  readonly endsAtMs: number
}

/** Counts failures by key, each key's in windows of ten minutes; bounded by count and by age. */
const makeCounter = (max: number) => {
  const windows = makeRecentMap<string, Window>(maxKeys)

  /** Counts one more; for how long more failures of the key are too many, in milliseconds from 0. */
  return (key: string, nowMs: number): number => {
    windows.sweepEach(windowMs, nowMs)
    const known = windows.get(key)
    const window = known !== undefined && nowMs < known.endsAtMs ? known : { count: 0, endsAtMs: nowMs + windowMs }
    window.count += 1
    windows.set(key, window)
    return window.count > max ? window.endsAtMs - nowMs : 0
  }
}

/** Counts one failed token request; for how long more of them are too many, in milliseconds from 0. */
export type CountFailure = (address: string, cnpj: string, nowMs: number) => number

/**
 * The failures of token requests: by address, and below that limit by address and company. A caller without an address
 * counts with all others that have none.
 */
export const makeFailureLimits = (): CountFailure => {
  const countAtAddress = makeCounter(maxPerAddress)
  const countAtAddressAndCompany = makeCounter(maxPerAddressAndCompany)
  return (address, cnpj, nowMs) => {
    const block = addressBlock(address)
    return countAtAddress(block, nowMs) || countAtAddressAndCompany(`${block} ${cnpj}`, nowMs)
  }
}

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
