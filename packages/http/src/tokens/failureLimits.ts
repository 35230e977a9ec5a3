import { makeRecentMap } from "@pixcharge/core/internal"
import { isIPv6 } from "node:net"

const windowMs = 600_000
const maxPerAddress = 100
const maxPerAddressAndCompany = 20
/** A few megabytes. The latest failures' keys are kept. */
const maxKeys = 20_000

interface Window {
  count: number
  readonly endsAtMs: number
}

/** In windows of ten minutes, bounded by number and age. */
const makeCounter = (max: number) => {
  const windows = makeRecentMap<string, Window>(maxKeys)

  return (key: string, nowMs: number): number => {
    windows.sweepEach(windowMs, nowMs)
    const known = windows.get(key)
    const window = known !== undefined && nowMs < known.endsAtMs ? known : { count: 0, endsAtMs: nowMs + windowMs }
    window.count += 1
    windows.set(key, window)
    return window.count > max ? window.endsAtMs - nowMs : 0
  }
}

/** Returns 0, or the milliseconds until further failures are acceptable. */
export type CountFailure = (address: string, cnpj: string, nowMs: number) => number

/**
 * Counts failures by address and, below that limit, by address and company. Callers without an address are counted together.
 */
export const makeFailureLimits = (): CountFailure => {
  const countAtAddress = makeCounter(maxPerAddress)
  const countAtAddressAndCompany = makeCounter(maxPerAddressAndCompany)
  return (address, cnpj, nowMs) => {
    const block = addressBlock(address)
    return countAtAddress(block, nowMs) || countAtAddressAndCompany(`${block} ${cnpj}`, nowMs)
  }
}

/** Matches an IPv4 address as an IPv6 socket shows it: `::ffff:192.0.2.1`. */
const mappedForm = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** Matches an address as some proxies write it: with a port, IPv6 in brackets. */
const proxyForm = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([^\]]*)\](?::\d+)?)$/

const maxLength = 64

/** A trailing IPv4 address counts as one group, so there can be one zero too many. */
const readGroups = (address: string): ReadonlyArray<string> => {
  const [head = [], tail = []] = address.split("::", 2).map((part) => part.split(":").filter((group) => group !== ""))
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => "0"), ...tail]
}

/**
 * The smallest block of one caller: an IPv4 address, or the first 64 bits of an IPv6 address, with or without a port. Truncates
 * any other string.
 */
export const addressBlock = (text: string): string => {
  const [, withPort, bracketed] = proxyForm.exec(text) ?? []
  const address = withPort ?? bracketed ?? text
  const [, ipv4] = mappedForm.exec(address) ?? []
  if (ipv4 !== undefined || !isIPv6(address)) return ipv4 ?? address.slice(0, maxLength)
  const [withoutZone = ""] = address.split("%", 1)
  const groups = readGroups(withoutZone).slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")
}
