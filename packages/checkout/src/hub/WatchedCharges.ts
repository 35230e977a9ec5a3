import type { Charge } from "@pixcharge/core/charges"
import type { Cnpj, Company } from "@pixcharge/core/party"
import { encodeEvent, type EventStream } from "@pixcharge/web"
import { type AnyState, type State, stateBody } from "../wire/State.ts"

/** What names a charge, or a recurrence. */
export interface Place {
  readonly issuer: Cnpj
  readonly id: string
}

/** An open page that receives every change. */
export interface Reader {
  readonly stream: EventStream
  /** When its link expires. Epoch milliseconds of business time. */
  readonly expiresAt: number
}

/** What the last look-up found. */
export interface AnyFound {
  readonly state: AnyState
}

/** A charge as the last look-up found it, with the company that issued it. */
export interface Found extends AnyFound {
  readonly charge: Charge
  readonly company: Company
  /** When the store returned it. Epoch milliseconds of business time. */
  readonly readAt: number
  readonly state: State
}

/** A charge, or a recurrence, that somebody looks at. */
export interface WatchedCharge<F extends AnyFound = Found> {
  readonly place: Place
  readonly readers: Set<Reader>
  /** Undefined until a look-up has found it. */
  found: F | undefined
  /** Until when it is watched without a reader, for pages that poll. By the monotonic clock. */
  polledUntilMs: number
}

/** A watched charge that was found. */
export type FoundCharge<F extends AnyFound = Found> = WatchedCharge<F> & { readonly found: F }

/** What a look-up found: watched charges with their new state. */
export type Findings<F extends AnyFound = Found> = ReadonlyArray<readonly [WatchedCharge<F>, F]>

export const isFound = <F extends AnyFound>(charge: WatchedCharge<F>): charge is FoundCharge<F> =>
  charge.found !== undefined

/** The key of a charge in a map. */
export const placeKey = ({ issuer, id }: Place): string => `${issuer} ${id}`

/** Sends a charge's state to its open pages, which end with a final one. */
const sendState = (readers: ReadonlySet<Reader>, { state }: AnyFound, now: number): void => {
  let bytes: Uint8Array | undefined
  for (const { stream } of readers) {
    stream.send((bytes ??= stateEvent(state, now)))
    if (state.snapshot.isFinal) stream.end()
  }
}

/** The charges that somebody looks at, by their places. `now` is business time, in epoch milliseconds. */
export class WatchedCharges<F extends AnyFound = Found> {
  readonly #charges = new Map<string, WatchedCharge<F>>()

  get size(): number {
    return this.#charges.size
  }

  get(place: Place): WatchedCharge<F> | undefined {
    return this.#charges.get(placeKey(place))
  }

  /** The watched charge at a place; it is added if nobody looked at it so far. */
  getOrAdd(place: Place): WatchedCharge<F> {
    const watched = this.get(place)
    if (watched !== undefined) return watched
    const added: WatchedCharge<F> = { place, readers: new Set(), found: undefined, polledUntilMs: 0 }
    this.#charges.set(placeKey(place), added)
    return added
  }

  listFound(): ReadonlyArray<FoundCharge<F>> {
    return [...this.#charges.values()].filter((charge) => isFound(charge))
  }

  /** Those that have open pages, and that no look-up has found yet. */
  listUnfound(): ReadonlyArray<WatchedCharge<F>> {
    return [...this.#charges.values()].filter(({ found, readers }) => found === undefined && readers.size > 0)
  }

  /** Takes over what a look-up found, and sends it to the open pages that show something else. */
  update(findings: Findings<F>, now: number): void {
    for (const [charge, found] of findings) {
      const hasChanged = found.state.id !== charge.found?.state.id
      charge.found = found
      if (hasChanged) sendState(charge.readers, found, now)
    }
  }

  /** Sends all states again: pages count down by the moment that comes with them. */
  sendAll(now: number): void {
    for (const charge of this.listFound()) sendState(charge.readers, charge.found, now)
  }

  /** Ends the streams whose link has expired, and forgets charges without readers that nobody polls or waits for. */
  sweep(now: number, monotonicMs: number, isAwaited: (charge: WatchedCharge<F>) => boolean): void {
    for (const [key, charge] of this.#charges) {
      const { readers, polledUntilMs } = charge
      for (const { stream, expiresAt } of readers) if (expiresAt <= now) stream.end()
      if (readers.size === 0 && polledUntilMs <= monotonicMs && !isAwaited(charge)) this.#charges.delete(key)
    }
  }
}

/** The event that brings a state to a page. */
export const stateEvent = (state: AnyState, now: number): Uint8Array =>
  encodeEvent({ event: "estado", id: state.id, data: JSON.stringify(stateBody(state, now)) })
