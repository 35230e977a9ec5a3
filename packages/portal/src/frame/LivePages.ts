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

/** How many streams a process has, far above the number of an integrator's operators; and how many of them one of these has. */
const maxOpen = 500
const maxOpenOf = { company: 100, operator: 20 } as const
/** How often something may be due. */
const beatMs = 1_000
/** No look-up waits longer, also while the store doesn't answer. */
const maxWaitMs = 60_000
/** How many companies are looked up at once. */
const maxLookUps = 4
/** Stands for a page that is gone. No digest is this text. */
const goneVersion = "gone"

/** What many open pages show. */
export interface LiveSource {
  /** Reads the version that they should show; undefined if the page no longer exists. */
  readonly look: () => Promise<string | undefined>
  /** How often. */
  readonly everyMs: number
}

interface WatchedSource extends LiveSource {
  readonly pages: Set<OpenPage>
  lookAt: number
  failures: number
}

const opening = encodeEvent({ retryMs: 2_000 })
const now = (): number => performance.now()

const tellAll = ({ pages }: WatchedSource, version: string | undefined): void => {
  for (const page of pages) {
    const sent = page.tell(version ?? goneVersion)
    if (version === undefined) void sent.then(() => page.end())
  }
}

/**
 * Tells open pages that they are out of date.
 *
 * Pages that show the same share one look-up, however many they are. A company has one look-up at a time, and companies take turns;
 * none is made while no page is open. A stream says which version there is, and nothing of it: the page reads it by a request of its
 * own.
 */
export class LivePages {
  readonly #streams: EventStreams
  readonly #pages = new Set<OpenPage>()
  /** By company, and by key. The company whose turn is next comes first. */
  readonly #sources = new Map<string, Map<string, WatchedSource>>()
  /** The companies that are being looked up. */
  readonly #lookedUp = new Set<string>()
  #isAwake = false

  /** Its streams end when `until` aborts. */
  constructor(until: AbortSignal) {
    this.#streams = makeEventStreams({ maxOpen, until })
  }

  /** Opens the stream of a page, or returns the status of its refusal. */
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
      tellAll(source, await source.look())
      source.failures = 0
    } catch {
      source.failures += 1
    }
    source.lookAt = now() + Math.min(source.everyMs * 2 ** source.failures, maxWaitMs)
    this.#lookedUp.delete(company)
    this.#endTurn(company)
    this.#lookUpDue()
  }

  /** Puts a company behind the others. */
  #endTurn(company: string): void {
    const sources = this.#sources.get(company)
    if (sources === undefined) return
    this.#sources.delete(company)
    this.#sources.set(company, sources)
  }
}

/** A stream ends after this time: the browser opens another, and the host looks at a fresh request. */
const maxStreamMs = 5 * 60_000
/** How often the host is asked whether the operator may still see the page. */
const checkEveryMs = 30_000

/** Who reads an open page. */
export interface LiveReader {
  readonly company: string
  /** Operators are counted by this name. */
  readonly operator: string
  /** The version that the page shows. */
  readonly version: string
  /** Whether the operator may still see the page. */
  readonly mayRead: () => Promise<boolean>
  readonly signal: AbortSignal
}

/** An open page. Its stream ends after a time and with the operator's right, however its look-ups go. */
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

  /** Ends the stream if its time is over, and checks the operator's right if that is due. */
  keep(): void {
    if (this.#until <= now()) this.end()
    else if (this.#checkAt <= now()) void this.#check()
  }

  /** Sends another version than the page's, to an operator who may still see the page. */
  async tell(version: string): Promise<void> {
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

/** The name of the version's field in the address of a stream, which is otherwise the page's own. */
export const versionField = "versao"

/** Whether a request of a page asks for the stream of its news. */
export const asksForNews = ({ exchange }: View): boolean =>
  exchange.method === "GET" && (exchange.header("accept") ?? "").includes("text/event-stream")

/** Names what a page shows: the pages of a company with the same key share a look-up. A sealed text shows more to its sender. */
export const liveKey = ({ who, exchange, query }: View): string => {
  const search = new URLSearchParams(query)
  search.delete(versionField)
  return JSON.stringify([exchange.url.split("?", 1)[0], search.toString(), search.has(sealedTextField) && who])
}

/** The reply that a stream begins with. */
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
