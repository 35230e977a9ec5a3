import type { Urgency } from "./Urgency.ts"

/**
 * How much of a limit calls of an urgency may use in a minute. The rest is left for more urgent calls that come later, and
 * stray notices take no more than their share from the checks. Payments are noticed however much is issued.
 */
const shares: Readonly<Record<Urgency, number>> = { issue: 7 / 8, refund: 1, notice: 1 / 4, check: 1 / 2, stray: 1 / 8 }
/** How much of it all may use together that isn't issuing: a charge that comes later has the rest. */
const shareBesideIssuing = 7 / 8

/** A second more than the minute that a bank counts: a call arrives later than it was sent. */
const windowMs = 61_000

/** A call whose turn has come. */
export interface SentCall {
  /** When that was, or when the call ended: until then it may have reached the bank at any moment. */
  readonly at: number
  readonly urgency: Urgency
}

/** Strays take from what checks may use. */
const isOfChecks = (urgency: Urgency): boolean => urgency === "check" || urgency === "stray"

const isNotIssuing = (urgency: Urgency): boolean => urgency !== "issue"

/** The calls of the last minute that one limit counts. */
export class CallWindow {
  readonly #max: number
  /** Oldest first. */
  #sent: ReadonlyArray<SentCall> = []

  constructor(max: number) {
    this.#max = max
  }

  add(call: SentCall): void {
    this.#sent = [...this.#sent, call]
  }

  remove(call: SentCall | undefined): void {
    this.#sent = this.#sent.filter((sent) => sent !== call)
  }

  /** Forgets what was sent more than a minute ago. */
  forget(now: number): void {
    this.#sent = this.#sent.filter(({ at }) => at > now - windowMs)
  }

  /** When a call of this urgency may be sent, if those `ahead` of it are. */
  findRoomAt(urgency: Urgency, ahead: ReadonlyArray<Urgency>, now: number): number {
    const roomAt = Math.max(
      this.#findRoom(() => true, 1, ahead, now),
      this.#findRoom((other) => other === urgency, shares[urgency], ahead, now),
      isOfChecks(urgency) ? this.#findRoom(isOfChecks, shares.check, ahead, now) : now,
    )
    return urgency === "issue" ? roomAt : Math.max(roomAt, this.#findRoom(isNotIssuing, shareBesideIssuing, ahead, now))
  }

  /** When one more of the calls that `counts` selects may be sent, where they have this share of the limit. */
  #findRoom(counts: (urgency: Urgency) => boolean, share: number, ahead: ReadonlyArray<Urgency>, now: number): number {
    const max = Math.max(1, Math.floor(this.#max * share))
    const sent = this.#sent.filter(({ urgency }) => counts(urgency))
    const index = sent.length + ahead.filter(counts).length - max
    return index < 0 ? now : (sent[index]?.at ?? now) + windowMs
  }
}
