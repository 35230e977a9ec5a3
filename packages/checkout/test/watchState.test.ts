import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { watchState } from "../src/element/watchState.ts"
import type { StateBody } from "../src/wire/StateBody.ts"

const url = "https://shop.example/pagar/1/estado"

/** An `EventSource` whose events the test sends. */
class Stream extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSED = 2
  static opened: Array<Stream> = []
  readonly url: string
  readyState = Stream.CONNECTING

  constructor(address: string) {
    super()
    this.url = address
    Stream.opened.push(this)
  }

  say(type: string, data?: object): void {
    this.dispatchEvent(Object.assign(new Event(type), { data: JSON.stringify(data) }))
  }

  fail(readyState: number): void {
    this.readyState = readyState
    this.say("error")
  }

  close(): void {
    this.readyState = Stream.CLOSED
  }
}

const state = (id: string, final = false) => ({ id, final }) as StateBody

/** The answer to a poll: a state, a status, a `Retry-After` header, or a network failure. */
type Answer = StateBody | number | { readonly retryAfter: string } | "unreachable"

const toResponse = (answer: Exclude<Answer, "unreachable">): Response => {
  if (typeof answer === "number") return new Response("", { status: answer })
  return "retryAfter" in answer
    ? new Response("", { status: 503, headers: { "retry-after": answer.retryAfter } })
    : Response.json(answer)
}

const page = (answers: ReadonlyArray<Answer> = []) => {
  const seen: Array<string> = []
  let polls = 0
  const fetch = vi.fn<typeof globalThis.fetch>(async () => {
    const answer = answers[Math.min(polls++, answers.length - 1)]
    if (answer === undefined || answer === "unreachable") throw new TypeError("no network")
    return toResponse(answer)
  })
  vi.stubGlobal("fetch", fetch)
  const stop = watchState(url, {
    read: ({ id }) => void seen.push(id),
    end: () => void seen.push("end"),
    reach: (isReached) => void seen.push(isReached ? "reached" : "lost"),
  })
  return { seen, fetch, stop }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** The times of the polls, in milliseconds after the start. */
const pollsWithin = async (ms: number, answers: ReadonlyArray<Answer>): Promise<ReadonlyArray<number>> => {
  const { fetch } = page(answers)
  Stream.opened[0]?.fail(Stream.CLOSED)
  const at: Array<number> = []
  for (let now = 0; now <= ms; now += 500) {
    await pass(now === 0 ? 0 : 500)
    while (at.length < fetch.mock.calls.length) at.push(now)
  }
  return at
}

let shown: EventTarget & { hidden: boolean }

const turn = (hidden: boolean): void => {
  shown.hidden = hidden
  shown.dispatchEvent(new Event("visibilitychange"))
}

beforeEach(() => {
  vi.useFakeTimers()
  Stream.opened = []
  vi.stubGlobal("EventSource", Stream)
  shown = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal("document", shown)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe("watchState with a stream", () => {
  it("reads each state without polling", async () => {
    const { seen, fetch } = page()
    const [stream] = Stream.opened
    expect(stream?.url).toBe(url)
    await pass(9_999)
    stream?.say("open")
    stream?.say("estado", state("a"))
    for (let beats = 0; beats < 4; beats++) {
      await pass(44_999)
      stream?.say("heartbeat")
    }
    stream?.say("estado", state("b"))
    expect(seen).toEqual(["reached", "reached", "a", "reached", "b"])
    expect([fetch.mock.calls.length, Stream.opened.length]).toEqual([0, 1])
  })

  it("polls if the stream is refused or sends nothing for ten seconds", async () => {
    const { seen, fetch } = page([state("a")])
    await pass(9_999)
    expect(fetch).not.toHaveBeenCalled()
    await pass(1)
    expect([seen, Stream.opened[0]?.readyState]).toEqual([["reached", "a"], Stream.CLOSED])
    const refused = page([state("b")])
    Stream.opened[1]?.fail(Stream.CLOSED)
    await pass(0)
    expect(refused.seen).toEqual(["reached", "b"])
  })

  it("reopens a stream that is silent for 45 s, and leaves a reconnect after an error to the browser", async () => {
    const { seen, fetch } = page()
    Stream.opened[0]?.say("heartbeat")
    Stream.opened[0]?.fail(Stream.CONNECTING)
    await pass(44_999)
    expect([seen, Stream.opened.length]).toEqual([["lost"], 1])
    await pass(1)
    Stream.opened[1]?.say("estado", state("a"))
    await pass(45_000)
    expect([Stream.opened.map(({ readyState }) => readyState), fetch.mock.calls.length]).toEqual([
      [Stream.CLOSED, Stream.CLOSED, Stream.CONNECTING],
      0,
    ])
  })

  it("closes the stream after a final state, and when it is stopped", async () => {
    const { seen, stop } = page()
    Stream.opened[0]?.say("estado", state("a", true))
    expect([seen, Stream.opened[0]?.readyState, vi.getTimerCount()]).toEqual([["reached", "a"], Stream.CLOSED, 0])
    stop()
    const other = page()
    other.stop()
    expect([Stream.opened[1]?.readyState, vi.getTimerCount()]).toEqual([Stream.CLOSED, 0])
    turn(true)
    turn(false)
    expect(Stream.opened).toHaveLength(2)
  })

  it("reads again after a final state when the page becomes visible", () => {
    const { seen, stop } = page()
    Stream.opened[0]?.say("estado", state("paid", true))
    turn(true)
    expect(Stream.opened).toHaveLength(1)
    turn(false)
    Stream.opened[1]?.say("estado", state("refunded", true))
    expect(seen).toEqual(["reached", "paid", "reached", "refunded"])
    expect([Stream.opened.map(({ readyState }) => readyState), vi.getTimerCount()]).toEqual([
      [Stream.CLOSED, Stream.CLOSED],
      0,
    ])
    stop()
  })

  it("has no stream while the page is hidden, and opens a stream when the page becomes visible", async () => {
    const { fetch } = page([state("a")])
    turn(true)
    expect(Stream.opened[0]?.readyState).toBe(Stream.CLOSED)
    await pass(120_000)
    expect([Stream.opened.length, fetch.mock.calls.length]).toEqual([1, 0])
    turn(false)
    expect(Stream.opened).toHaveLength(2)
  })
})

describe("watchState without a stream", () => {
  it("polls without credentials, referrer or cache", async () => {
    const { fetch } = page([state("a")])
    await pass(10_000)
    expect(fetch.mock.calls.map(([polled]) => polled)).toEqual([url])
    expect(fetch.mock.calls[0]?.[1]).toMatchObject({
      headers: { accept: "application/json" },
      cache: "no-store",
      credentials: "omit",
      referrerPolicy: "no-referrer",
    })
  })

  it("polls every five seconds, and tries to open a stream after six polls", async () => {
    expect(await pollsWithin(60_000, [state("a")])).toEqual([
      0, 5_000, 10_000, 15_000, 20_000, 25_000, 40_000, 45_000, 50_000, 55_000, 60_000,
    ])
    expect(Stream.opened).toHaveLength(2)
  })

  it("keeps polling if the browser doesn't support event streams", async () => {
    vi.stubGlobal("EventSource", undefined)
    const { fetch } = page([state("a")])
    await pass(60_000)
    expect(fetch).toHaveBeenCalledTimes(13)
  })

  it("polls less often while the server is unreachable, and every five seconds after an answer", async () => {
    const answers = ["unreachable", "unreachable", state("a"), "unreachable", "unreachable"] as const
    expect(await pollsWithin(19_000, answers)).toEqual([0, 2_000, 6_000, 11_000, 13_000, 17_000])
  })

  it("polls at least once a minute in a long outage", async () => {
    vi.stubGlobal("EventSource", undefined)
    const { fetch, seen } = page(["unreachable"])
    await pass(2_000 + 4_000 + 8_000 + 16_000 + 32_000 + 60_000)
    expect([fetch.mock.calls.length, new Set(seen)]).toEqual([7, new Set(["lost"])])
  })

  it("waits as long as `Retry-After` says, at most a minute", async () => {
    vi.stubGlobal("EventSource", undefined)
    for (const [retryAfter, ms] of [
      ["20", 20_000],
      ["600", 60_000],
      ["0", 5_000],
      ["soon", 5_000],
    ] as const) {
      const { fetch, stop } = page([{ retryAfter }])
      await pass(ms - 1)
      expect(fetch).toHaveBeenCalledTimes(1)
      await pass(1)
      expect(fetch).toHaveBeenCalledTimes(2)
      stop()
    }
  })

  it("reports the server as unreachable if an answer has no state", async () => {
    vi.stubGlobal("EventSource", undefined)
    const { seen } = page([503, state("a")])
    await pass(5_000)
    expect(seen).toEqual(["lost", "reached", "a"])
  })

  it.each([
    ["a 404 for an invalid link", 404, ["end"]],
    ["a 410 for an expired link", 410, ["end"]],
  ] as const)("stops for good after %s", async (_, answer, expected) => {
    const { seen, fetch } = page([answer])
    await pass(10_000)
    turn(true)
    turn(false)
    await pass(600_000)
    expect([seen, fetch.mock.calls.length, Stream.opened.length]).toEqual([expected, 1, 1])
  })

  it("stops after a final state until the page becomes visible again", async () => {
    const { seen, fetch } = page([state("a", true)])
    await pass(600_000)
    expect([seen, fetch.mock.calls.length, Stream.opened.length]).toEqual([["reached", "a"], 1, 1])
    turn(true)
    turn(false)
    await pass(10_000)
    expect([fetch.mock.calls.length, Stream.opened.length]).toEqual([2, 2])
  })

  it("ignores an answer that comes after it was stopped", async () => {
    const { seen, stop } = page()
    vi.stubGlobal("fetch", async (_: string, { signal }: RequestInit) => {
      await new Promise((later) => setTimeout(later, 1_000))
      signal?.throwIfAborted()
      return Response.json(state("a"))
    })
    await pass(10_500)
    stop()
    await pass(600_000)
    expect([seen, vi.getTimerCount()]).toEqual([[], 0])
  })
})
