import type { Charge } from "@pixcharge/core/charges"
import type { Cnpj, Company } from "@pixcharge/core/party"
import { encodeEvent, type EventStream } from "@pixcharge/web"
import { type AnyState, type State, stateBody } from "../wire/State.ts"

/** Names a charge or a recurrence. */
export interface ItemKey {
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

/** A charge or a recurrence that somebody looks at. */
export interface WatchedItem<F extends AnyFound = Found> {
  readonly key: ItemKey
  readonly readers: Set<Reader>
  /** Undefined until a look-up has found it. */
  found: F | undefined
  /** Until when it is watched without a reader, for pages that poll. By the monotonic clock. */
  polledUntilMs: number
}

/** A watched item that was found. */
export type FoundItem<F extends AnyFound = Found> = WatchedItem<F> & { readonly found: F }

/** What a look-up found: watched items with their new state. */
export type Findings<F extends AnyFound = Found> = ReadonlyArray<readonly [WatchedItem<F>, F]>

export const isFound = <F extends AnyFound>(item: WatchedItem<F>): item is FoundItem<F> => item.found !== undefined

/** The key as text, for maps. */
export const formatItemKey = ({ issuer, id }: ItemKey): string => `${issuer} ${id}`

/** Sends a state to the open pages that show it, and ends their streams if it is final. */
const sendState = (readers: ReadonlySet<Reader>, { state }: AnyFound, now: number): void => {
  let bytes: Uint8Array | undefined
  for (const { stream } of readers) {
    stream.send((bytes ??= stateEvent(state, now)))
    if (state.snapshot.isFinal) stream.end()
  }
}

/** The items that somebody looks at. `now` is business time, in epoch milliseconds. */
export class WatchedItems<F extends AnyFound = Found> {
  readonly #items = new Map<string, WatchedItem<F>>()

  get size(): number {
    return this.#items.size
  }

  get(key: ItemKey): WatchedItem<F> | undefined {
    return this.#items.get(formatItemKey(key))
  }

  /** The item of this key; adds it if nobody watched it so far. */
  getOrAdd(key: ItemKey): WatchedItem<F> {
    const watched = this.get(key)
    if (watched !== undefined) return watched
    const added: WatchedItem<F> = { key, readers: new Set(), found: undefined, polledUntilMs: 0 }
    this.#items.set(formatItemKey(key), added)
    return added
  }

  listFound(): ReadonlyArray<FoundItem<F>> {
    return [...this.#items.values()].filter((item) => isFound(item))
  }

  /** Items that have open pages, and that no look-up has found yet. */
  listUnfound(): ReadonlyArray<WatchedItem<F>> {
    return [...this.#items.values()].filter(({ found, readers }) => found === undefined && readers.size > 0)
  }

  /** Takes over what a look-up found, and sends it to the open pages that show something else. */
  update(findings: Findings<F>, now: number): void {
    for (const [item, found] of findings) {
      const hasChanged = found.state.id !== item.found?.state.id
      item.found = found
      if (hasChanged) sendState(item.readers, found, now)
    }
  }

  /** Sends all states again: each carries the server's time, by which its page counts down. */
  sendAll(now: number): void {
    for (const item of this.listFound()) sendState(item.readers, item.found, now)
  }

  /** Ends the streams whose link has expired, and forgets items without readers that nobody polls or waits for. */
  sweep(now: number, monotonicMs: number, isAwaited: (item: WatchedItem<F>) => boolean): void {
    for (const [key, item] of this.#items) {
      const { readers, polledUntilMs } = item
      for (const { stream, expiresAt } of readers) if (expiresAt <= now) stream.end()
      if (readers.size === 0 && polledUntilMs <= monotonicMs && !isAwaited(item)) this.#items.delete(key)
    }
  }
}

/** The event that brings a state to a page. */
export const stateEvent = (state: AnyState, now: number): Uint8Array =>
  encodeEvent({ event: "estado", id: state.id, data: JSON.stringify(stateBody(state, now)) })
