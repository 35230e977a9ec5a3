import { makeRecentMap } from "@pixcharge/core/internal"
import { addressBlock } from "./addressBlock.ts"

const windowMs = 600_000
const mostOfAddress = 100
const mostOfAddressAndCompany = 20
/** What is counted fits in a few megabytes; of more, those that failed last are kept. */
const mostCounted = 20_000

interface Window {
  count: number
  /** On the steady clock. */
  readonly endsAtMs: number
}

/** Counts failures by key, each key's in windows of ten minutes; bounded by count and by age. */
const makeCounter = (most: number) => {
  const windows = makeRecentMap<string, Window>(mostCounted)

  /** Counts one more; for how long more failures of the key are too many, in milliseconds from 0. */
  return (key: string, nowMs: number): number => {
    windows.sweepEach(windowMs, nowMs)
    const known = windows.get(key)
    const window = known !== undefined && nowMs < known.endsAtMs ? known : { count: 0, endsAtMs: nowMs + windowMs }
    window.count += 1
    windows.set(key, window)
    return window.count > most ? window.endsAtMs - nowMs : 0
  }
}

/** Counts one failed token request; for how long more of them are too many, in milliseconds from 0. */
export type CountFailure = (address: string, cnpj: string, nowMs: number) => number

/**
 * The failures of token requests: by address, and below that limit by address and company. A caller without an address
 * counts with all others that have none.
 */
export const makeFailureLimits = (): CountFailure => {
  const ofAddress = makeCounter(mostOfAddress)
  const ofAddressAndCompany = makeCounter(mostOfAddressAndCompany)
  return (address, cnpj, nowMs) => {
    const block = addressBlock(address)
    return ofAddress(block, nowMs) || ofAddressAndCompany(`${block} ${cnpj}`, nowMs)
  }
}
