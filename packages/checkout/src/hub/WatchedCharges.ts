import type { Charge, ChargeId } from "@pixcharge/core/charges"
import type { Cnpj, Company } from "@pixcharge/core/party"
import type { EventStream } from "@pixcharge/web"
import type { State } from "../state/State.ts"
import { stateEvent } from "./stateEvent.ts"

/** What names a charge. */
export interface ChargePlace {
  readonly issuer: Cnpj
  readonly id: ChargeId
}

/** An open page that receives every change. */
export interface Reader {
  readonly stream: EventStream
  /** When its link expires. Epoch milliseconds of business time. */
  readonly expiresAt: number
}

/** A charge as the last look-up found it, with the company that issued it. */
export interface Found {
  readonly charge: Charge
  readonly company: Company
  /** When the store returned it. Epoch milliseconds of business time. */
  readonly readAt: number
  readonly state: State
}

/** A charge that somebody looks at. */
export interface WatchedCharge {
  readonly place: ChargePlace
  readonly readers: Set<Reader>
  /** Undefined until a look-up has found it. */
  found: Found | undefined
  /** Until when it is watched without a reader, for pages that poll. By the monotonic clock. */
  polledUntilMs: number
}

/** A watched charge that was found. */
export type FoundCharge = WatchedCharge & { readonly found: Found }

/** What a look-up found: watched charges with their new state. */
export type Findings = ReadonlyArray<readonly [WatchedCharge, Found]>

export const isFound = (charge: WatchedCharge): charge is FoundCharge => charge.found !== undefined

/** The key of a charge in a map. */
export const placeKey = ({ issuer, id }: ChargePlace): string => `${issuer} ${id}`

/** Sends a charge's state to its open pages, which end with a final one. */
const sendState = ({ readers, found: { state } }: Pick<FoundCharge, "readers" | "found">, now: number): void => {
  let bytes: Uint8Array | undefined
  for (const { stream } of readers) {
    stream.send((bytes ??= stateEvent(state, now)))
    if (state.snapshot.isFinal) stream.end()
  }
}

/** The charges that somebody looks at, by their places. `now` is business time, in epoch milliseconds. */
export class WatchedCharges {
  readonly #charges = new Map<string, WatchedCharge>()

  get size(): number {
    return this.#charges.size
  }

  get(place: ChargePlace): WatchedCharge | undefined {
    return this.#charges.get(placeKey(place))
  }

  /** The watched charge at a place; it is added if nobody looked at it so far. */
  getOrAdd(place: ChargePlace): WatchedCharge {
    const watched = this.get(place)
    if (watched !== undefined) return watched
    const added: WatchedCharge = { place, readers: new Set(), found: undefined, polledUntilMs: 0 }
    this.#charges.set(placeKey(place), added)
    return added
  }

  listFound(): ReadonlyArray<FoundCharge> {
    return [...this.#charges.values()].filter(isFound)
  }

  /** Those that have open pages, and that no look-up has found yet. */
  listUnfound(): ReadonlyArray<WatchedCharge> {
    return [...this.#charges.values()].filter(({ found, readers }) => found === undefined && readers.size > 0)
  }

  /** Takes over what a look-up found, and sends it to the open pages that show something else. */
  update(findings: Findings, now: number): void {
    for (const [charge, found] of findings) {
      const hasChanged = found.state.id !== charge.found?.state.id
      charge.found = found
      if (hasChanged) sendState({ readers: charge.readers, found }, now)
    }
  }

  /** Sends all states again: pages count down by the moment that comes with them. */
  sendAll(now: number): void {
    for (const charge of this.listFound()) sendState(charge, now)
  }

  /** Ends the streams whose link has expired, and forgets charges without readers that nobody polls or waits for. */
  sweep(now: number, monotonicMs: number, isAwaited: (charge: WatchedCharge) => boolean): void {
    for (const [key, charge] of this.#charges) {
      const { readers, polledUntilMs } = charge
      for (const { stream, expiresAt } of readers) if (expiresAt <= now) stream.end()
      if (readers.size === 0 && polledUntilMs <= monotonicMs && !isAwaited(charge)) this.#charges.delete(key)
    }
  }
}
