import { hash } from "node:crypto"
import { makeRecentMap } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import type { NoticeClaim } from "../wire/Webhook.ts"

/** What became of the claims of a notice that was not taken completely yet, by endToEndId. */
export interface NoticeProgress {
  /** The claims whose payment is recorded, as the bank confirmed it. */
  readonly settled: Set<string>
  /** The claims that were looked up without success. */
  readonly tried: Set<string>
}

/** Notices that wait to be sent again; each holds a thousand ids at most. */
const maxKept = 100
/** After this time the bank may mean something else by the same words. */
const maxAgeMs = 3_600_000

/**
 * Remembers in this process what became of a notice that the bank sends again, so that a notice of any size is taken in the end.
 * The books remember most of that, but neither returns without an id nor payments that nobody records.
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
