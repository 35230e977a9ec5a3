import { makeRecentMap } from "@pixcharge/core/internal"
import { addressBlock } from "./addressBlock.ts"

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
