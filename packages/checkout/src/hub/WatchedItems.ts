import type { Charge } from "@pixcharge/core/charges"
import type { Cnpj, Company } from "@pixcharge/core/party"
import { encodeEvent, type EventStream } from "@pixcharge/web"
import { type AnyState, type State, stateBody } from "../wire/State.ts"

export interface ItemKey {
  readonly issuer: Cnpj
  readonly id: string
}

export interface Reader {
  readonly stream: EventStream
  /** The expiry of the reader's link, in epoch milliseconds of business time. */
  readonly expiresAt: number
}

export interface AnyFound {
  readonly state: AnyState
}

export interface Found extends AnyFound {
  readonly charge: Charge
  readonly company: Company
  /** When the store returned the charge, in epoch milliseconds of business time. */
  readonly readAt: number
  readonly state: State
}

export interface WatchedItem<F extends AnyFound = Found> {
  readonly key: ItemKey
  readonly readers: Set<Reader>
  found: F | undefined
  /** The end of the watch for a polling page, in monotonic milliseconds. */
  polledUntilMs: number
}

export type FoundItem<F extends AnyFound = Found> = WatchedItem<F> & { readonly found: F }

export type Findings<F extends AnyFound = Found> = ReadonlyArray<readonly [WatchedItem<F>, F]>

export const isFound = <F extends AnyFound>(item: WatchedItem<F>): item is FoundItem<F> => item.found !== undefined

export const formatItemKey = ({ issuer, id }: ItemKey): string => `${issuer} ${id}`

const sendState = (readers: ReadonlySet<Reader>, { state }: AnyFound, now: number): void => {
  let bytes: Uint8Array | undefined
  for (const { stream } of readers) {
    stream.send((bytes ??= stateEvent(state, now)))
    if (state.snapshot.isFinal) stream.end()
  }
}

/** The charges or recurrences of open pages. `now` is business time in epoch milliseconds. */
export class WatchedItems<F extends AnyFound = Found> {
  readonly #items = new Map<string, WatchedItem<F>>()

  get size(): number {
    return this.#items.size
  }

  get(key: ItemKey): WatchedItem<F> | undefined {
    return this.#items.get(formatItemKey(key))
  }

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

  listUnfound(): ReadonlyArray<WatchedItem<F>> {
    return [...this.#items.values()].filter(({ found, readers }) => found === undefined && readers.size > 0)
  }

  update(findings: Findings<F>, now: number): void {
    for (const [item, found] of findings) {
      const hasChanged = found.state.id !== item.found?.state.id
      item.found = found
      if (hasChanged) sendState(item.readers, found, now)
    }
  }

  sendAll(now: number): void {
    for (const item of this.listFound()) sendState(item.readers, item.found, now)
  }

  /** Ends streams with expired links. Forgets items without a reader, a polling page or a pending look-up. */
  sweep(now: number, monotonicMs: number, isAwaited: (item: WatchedItem<F>) => boolean): void {
    for (const [key, item] of this.#items) {
      const { readers, polledUntilMs } = item
      for (const { stream, expiresAt } of readers) if (expiresAt <= now) stream.end()
      if (readers.size === 0 && polledUntilMs <= monotonicMs && !isAwaited(item)) this.#items.delete(key)
    }
  }
}

export const stateEvent = (state: AnyState, now: number): Uint8Array =>
  encodeEvent({ event: "estado", id: state.id, data: JSON.stringify(stateBody(state, now)) })
