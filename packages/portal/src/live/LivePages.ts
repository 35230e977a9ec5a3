import { isPixError } from "@pixcharge/embed"
import { encodeEvent, type EventStream, makeEventStreams } from "@pixcharge/web"

/** A limit for the process, far above the number of an integrator's operators. */
const maxOpen = 500
/** How often something may be due. */
const beatMs = 1_000
/** No look-up waits longer, also while the store doesn't answer. */
const maxWaitMs = 60_000
/** A stream ends after this time: the browser opens another, and the host looks at a fresh request. */
const maxStreamMs = 5 * 60_000

/** What many open pages show. */
export interface LiveSource {
  /** Reads the version of what they should show. */
  readonly look: () => Promise<string>
  /** How often. */
  readonly everyMs: number
}

/** One open page. */
export interface LiveReader {
  /** What it shows. */
  readonly version: string
  /** Whether its operator may still see it. */
  readonly mayRead: () => Promise<boolean>
  readonly signal: AbortSignal
}

interface OpenPage extends Omit<LiveReader, "signal"> {
  version: string
  readonly stream: EventStream
  readonly until: number
}

interface WatchedSource extends LiveSource {
  readonly pages: Set<OpenPage>
  lookAt: number
  failures: number
}

const opening = encodeEvent({ retryMs: 2_000 })
const now = (): number => performance.now()

/**
 * Tells open pages that they are out of date.
 *
 * Pages that show the same share one look-up, however many they are. Look-ups are made one after the other, and none while no page
 * is open. A stream says which version there is, and nothing of it: the page reads it by a request of its own.
 */
export class LivePages {
  readonly #streams = makeEventStreams({ maxOpen })
  readonly #sources = new Map<string, WatchedSource>()
  #isAwake = false

  /** Opens the stream of a page; undefined while too many are open. */
  open(key: string, { look, everyMs }: LiveSource, { version, mayRead, signal }: LiveReader): EventStream | undefined {
    const source = this.#sources.get(key) ?? { look, everyMs, pages: new Set(), lookAt: now() + everyMs, failures: 0 }
    const stream = this.#streams.open({ signal, onClosed: () => this.#leave(key, page) })
    if (stream === undefined) return undefined
    const page: OpenPage = { version, mayRead, stream, until: now() + maxStreamMs }
    source.pages.add(page)
    this.#sources.set(key, source)
    stream.send(opening)
    void this.#run()
    return stream
  }

  #leave(key: string, page: OpenPage): void {
    const source = this.#sources.get(key)
    source?.pages.delete(page)
    if (source?.pages.size === 0) this.#sources.delete(key)
  }

  async #run(): Promise<void> {
    if (this.#isAwake) return
    this.#isAwake = true
    while (this.#sources.size > 0) {
      await new Promise<void>((resolve) => setTimeout(resolve, beatMs).unref())
      for (const source of this.#sources.values()) if (source.lookAt <= now()) await this.#lookAt(source)
    }
    this.#isAwake = false
  }

  async #lookAt(source: WatchedSource): Promise<void> {
    try {
      const found = await source.look()
      source.failures = 0
      await Promise.all([...source.pages].map((page) => tell(page, found)))
    } catch (error) {
      // A page whose look-up was refused asks by itself, and is told why.
      if (isPixError(error, "PixDisposed")) return this.#streams.dispose()
      source.failures += 1
    }
    source.lookAt = now() + Math.min(source.everyMs * 2 ** source.failures, maxWaitMs)
  }
}

/** Tells a page of another version than its own. Who may not see it any more is told nothing. */
const tell = async (page: OpenPage, found: string): Promise<void> => {
  const { version, stream, until, mayRead } = page
  if (version !== found) {
    if (!(await mayRead().catch(() => false))) return stream.end()
    page.version = found
    stream.send(encodeEvent({ event: "news", data: found }))
  }
  if (until <= now()) stream.end()
}
