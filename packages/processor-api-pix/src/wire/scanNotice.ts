import * as Predicate from "effect/Predicate"
import { maxClaims } from "./Webhook.ts"

/** A notice with all that the standard has in it, for as many payments as a call may have, has fewer. */
const maxValues = 20 * maxClaims
const maxNames = 50

/** A txid of ours, wherever it stands in a text: `chargeTxid` makes 35 characters. */
const txidsIn = /(?<![0-9a-z])[0-9a-z]{35}(?![0-9a-z])/gi
/** What a programmer calls a field. A longer name, or one with a number, may be somebody's document. */
const tellable = /^(?!.*\d{3})[a-z_$][\w$-]{0,39}$/i

/** What a notice of unknown form has in it: its fields' names, which may be logged, and what may be txids, in small letters. */
export interface ScannedNotice {
  readonly names: ReadonlyArray<string>
  readonly txids: ReadonlyArray<string>
}

const addTxids = (txids: Set<string>, text: string): void => {
  for (const [found] of text.matchAll(txidsIn)) {
    if (txids.size >= maxClaims) return
    txids.add(found.toLowerCase())
  }
}

/** Looks through a notice of any form and depth, up to a number of values. */
export const scanNotice = (json: unknown): ScannedNotice => {
  const names = new Set<string>()
  const txids = new Set<string>()
  const found: Array<unknown> = [json]
  for (let at = 0; at < found.length; at++) {
    const value = found[at]
    if (typeof value === "string") addTxids(txids, value)
    if (!Predicate.isObjectOrArray(value)) continue
    for (const name in value) {
      if (found.length >= maxValues) break
      found.push((value as Record<string, unknown>)[name])
      if (Array.isArray(value)) continue
      addTxids(txids, name)
      if (names.size < maxNames) names.add(tellable.test(name) ? name : "?")
    }
  }
  return { names: [...names], txids: [...txids] }
}
