import type { Reply } from "@pixcharge/core"
import {
  encodeEvent,
  type EventStream,
  type EventStreams,
  makeEventStreams,
  securityHeaders,
  type StreamRefusal,
} from "@pixcharge/web"
import type { View } from "./View.ts"
import { sealedTextField } from "./makeView.ts"

const maxOpen = 500
const maxOpenOf = { company: 100, operator: 20 } as const
const beatMs = 1_000
const maxWaitMs = 60_000
const maxLookUps = 4
/** Differs from every digest. */
const goneVersion = "gone"

export interface LiveSource {
  /** Reads the current version; undefined if the page no longer exists. */
  readonly look: () => Promise<string | undefined>
  readonly everyMs: number
}

interface WatchedSource extends LiveSource {
  readonly pages: Set<OpenPage>
  lookAt: number
  failures: number
}

const opening = encodeEvent({ retryMs: 2_000 })
const now = (): number => performance.now()

const reportToAll = ({ pages }: WatchedSource, version: string | undefined): void => {
  for (const page of pages) {
    const sent = page.report(version ?? goneVersion)
    if (version === undefined) void sent.then(() => page.end())
  }
}

/**
 * Reports to open pages that they are out of date. Pages with the same data share one look-up. Companies take turns, one look-up
 * each. A stream sends only the new version; the page then requests the data.
 */
export class LivePages {
  readonly #streams: EventStreams
  readonly #pages = new Set<OpenPage>()
  /** The sources by company and key. The first company has the next turn. */
  readonly #sources = new Map<string, Map<string, WatchedSource>>()
  readonly #lookedUp = new Set<string>()
  #isAwake = false

  /** All streams end when `until` aborts. */
  constructor(until: AbortSignal) {
    this.#streams = makeEventStreams({ maxOpen, until })
  }

  open(key: string, { look, everyMs }: LiveSource, reader: LiveReader): EventStream | StreamRefusal {
    const { company, operator, signal } = reader
    const ofCompany = this.#sources.get(company) ?? new Map<string, WatchedSource>()
    const source = ofCompany.get(key) ?? { look, everyMs, pages: new Set(), lookAt: now() + everyMs, failures: 0 }
    const limits = [
      { name: `operator ${operator}`, maxOpen: maxOpenOf.operator },
      { name: `company ${company}`, maxOpen: maxOpenOf.company },
    ]
    const stream = this.#streams.open({ limits, signal, onClosed: () => this.#leave(key, page) })
    if (typeof stream === "number") return stream
    const page = new OpenPage(reader, stream)
    this.#pages.add(page)
    source.pages.add(page)
    this.#sources.set(company, ofCompany.set(key, source))
    stream.send(opening)
    void this.#run()
    return stream
  }

  #leave(key: string, page: OpenPage): void {
    this.#pages.delete(page)
    const ofCompany = this.#sources.get(page.company)
    const pages = ofCompany?.get(key)?.pages
    pages?.delete(page)
    if (pages?.size === 0) ofCompany?.delete(key)
    if (ofCompany?.size === 0) this.#sources.delete(page.company)
  }

  async #run(): Promise<void> {
    if (this.#isAwake) return
    this.#isAwake = true
    while (this.#pages.size > 0) {
      await new Promise<void>((resolve) => setTimeout(resolve, beatMs).unref())
      for (const page of this.#pages) page.keep()
      this.#lookUpDue()
    }
    this.#isAwake = false
  }

  #lookUpDue(): void {
    for (const [company, sources] of this.#sources) {
      if (this.#lookedUp.size >= maxLookUps) return
      const due = [...sources.values()].filter(({ lookAt }) => lookAt <= now()).toSorted((a, b) => a.lookAt - b.lookAt)
      if (due[0] !== undefined && !this.#lookedUp.has(company)) void this.#lookUp(company, due[0])
    }
  }

  async #lookUp(company: string, source: WatchedSource): Promise<void> {
    this.#lookedUp.add(company)
    try {
      reportToAll(source, await source.look())
      source.failures = 0
    } catch {
      source.failures += 1
    }
    source.lookAt = now() + Math.min(source.everyMs * 2 ** source.failures, maxWaitMs)
    this.#lookedUp.delete(company)
    this.#endTurn(company)
    this.#lookUpDue()
  }

  #endTurn(company: string): void {
    const sources = this.#sources.get(company)
    if (sources === undefined) return
    this.#sources.delete(company)
    this.#sources.set(company, sources)
  }
}

/** The browser then opens a new stream, whose request the host checks. */
const maxStreamMs = 5 * 60_000
const checkEveryMs = 30_000

export interface LiveReader {
  readonly company: string
  /** Identifies the operator, whose streams are limited. */
  readonly operator: string
  readonly version: string
  readonly mayRead: () => Promise<boolean>
  readonly signal: AbortSignal
}

/** An open page. Its stream ends at its maximum age or when the operator loses the right, even if look-ups fail. */
class OpenPage {
  readonly company: string
  readonly #mayRead: () => Promise<boolean>
  readonly #stream: EventStream
  readonly #until = now() + maxStreamMs
  #version: string
  #checkAt = now() + checkEveryMs

  constructor({ company, version, mayRead }: LiveReader, stream: EventStream) {
    this.company = company
    this.#version = version
    this.#mayRead = mayRead
    this.#stream = stream
  }

  keep(): void {
    if (this.#until <= now()) this.end()
    else if (this.#checkAt <= now()) void this.#check()
  }

  async report(version: string): Promise<void> {
    if (version === this.#version) return
    this.#version = version
    if (await this.#check()) this.#stream.send(encodeEvent({ event: "news", data: version }))
  }

  end(): void {
    this.#stream.end()
  }

  async #check(): Promise<boolean> {
    this.#checkAt = now() + checkEveryMs
    const mayRead = await this.#mayRead().catch(() => false)
    if (!mayRead) this.end()
    return mayRead
  }
}

/** The field of a stream's address with the shown version. */
export const versionField = "versao"

export const asksForNews = ({ exchange }: View): boolean =>
  exchange.method === "GET" && (exchange.header("accept") ?? "").includes("text/event-stream")

/** Pages of a company with one key share a look-up. A sealed text is the operator's, so the key then contains the operator. */
export const liveKey = ({ who, exchange, query }: View): string => {
  const search = new URLSearchParams(query)
  search.delete(versionField)
  return JSON.stringify([exchange.url.split("?", 1)[0], search.toString(), search.has(sealedTextField) && who])
}

export const liveReply = ({ body }: EventStream): Reply => ({
  status: 200,
  headers: {
    ...securityHeaders,
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    vary: "accept",
    "x-accel-buffering": "no",
  },
  body,
})
