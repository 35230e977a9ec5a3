import { hash } from "node:crypto"
import { makeRecentMap } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import type { NoticeClaim } from "../wire/Webhook.ts"

/** What became of the claims of a notice that was not taken as a whole yet, by endToEndId. */
export interface NoticeProgress {
  /** Of those the bank's word is recorded. */
  readonly settled: Set<string>
  /** They were looked up in vain. */
  readonly tried: Set<string>
}

/** Notices that wait to be sent again; each holds a thousand ids at most. */
const maxKept = 100
/** After this time the bank may mean something else by the same words. */
const maxAgeMs = 3_600_000

/**
 * What earlier sendings of a notice have come to in this process, so that one of any size is taken in the end: the books hold most
 * of it, and neither returns without an id nor payments that nobody records.
 */
export const makeNoticeProgress = () => {
  const kept = makeRecentMap<string, NoticeProgress & { readonly since: number }>(maxKept)
  return {
    open: (issuer: Cnpj, claims: ReadonlyArray<NoticeClaim>, now: number) => {
      const key = hash("sha256", JSON.stringify([issuer, claims]))
      const known = kept.get(key)
      const progress =
        known !== undefined && Math.abs(now - known.since) < maxAgeMs
          ? known
          : { settled: new Set<string>(), tried: new Set<string>(), since: now }
      kept.set(key, progress)
      return { progress, end: () => kept.delete(key) }
    },
  }
}
