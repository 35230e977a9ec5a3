import { encodeEvent, type EventStream, type EventStreams, makeEventStreams } from "@pixcharge/web"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)

const heartbeat = "event: heartbeat\ndata: 1\n\n"

const open = (streams: EventStreams, onClosed = () => undefined): EventStream => {
  const stream = streams.open({ signal: new AbortController().signal, onClosed })
  if (typeof stream === "number") throw new Error("expected an open stream")
  return stream
}

it("encodes an event's fields, and each line of its data", () => {
  expect(text(encodeEvent({ event: "estado", id: "7", data: "a\r\nb\rc\nd", retryMs: 2_999.6 }))).toBe(
    "retry: 3000\nevent: estado\nid: 7\ndata: a\ndata: b\ndata: c\ndata: d\n\n",
  )
  expect(text(encodeEvent({ data: "" }))).toBe("data: \n\n")
  expect(text(encodeEvent({ event: "", id: "" }))).toBe("event: \nid: \n\n")
})

describe("event streams", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  it("get a heartbeat every 15 s from one timer, which stops with the last stream", async () => {
    const streams = makeEventStreams({ maxOpen: 10 })
    expect(vi.getTimerCount()).toBe(0)
    const [first, second] = [open(streams), open(streams)]
    expect(vi.getTimerCount()).toBe(1)
    const [one, other] = [first.body.getReader(), second.body.getReader()]
    let beats = 0
    const reading = other.read().then(() => beats++)
    await vi.advanceTimersByTimeAsync(14_999)
    expect(beats).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    await reading
    expect(text((await one.read()).value)).toBe(heartbeat)
    first.end()
    expect(vi.getTimerCount()).toBe(1)
    second.end()
    expect(vi.getTimerCount()).toBe(0)
    open(streams)
    expect(vi.getTimerCount()).toBe(1)
    streams.dispose()
    expect([vi.getTimerCount(), streams.openCount()]).toEqual([0, 0])
    expect(streams.open({ signal: new AbortController().signal, onClosed: () => undefined })).toBe(503)
  })

  it("remove their listener from the signal, and report their end once", () => {
    const streams = makeEventStreams({ maxOpen: 1 })
    const gone = new AbortController()
    const removed = vi.spyOn(gone.signal, "removeEventListener")
    const onClosed = vi.fn<() => void>()
    const stream = streams.open({ signal: gone.signal, onClosed })
    expect(streams.open({ signal: gone.signal, onClosed })).toBe(503)
    if (typeof stream === "object") stream.end()
    expect([removed.mock.calls.length, onClosed.mock.calls.length]).toEqual([1, 1])
    gone.abort()
    expect(onClosed).toHaveBeenCalledTimes(1)
  })

  it("share limits by name, and free their places when they end", () => {
    const streams = makeEventStreams({ maxOpen: 3 })
    const order = { signal: new AbortController().signal, onClosed: () => undefined }
    const openOf = (...names: ReadonlyArray<string>) =>
      streams.open({ ...order, limits: names.map((name) => ({ name, maxOpen: name === "one" ? 1 : 2 })) })
    const first = openOf("one", "two")
    expect(openOf("one")).toBe(429)
    expect([openOf("two"), openOf("two", "three")]).toEqual([expect.anything(), 429])
    expect([openOf("three"), openOf("three")]).toEqual([expect.anything(), 503])
    if (typeof first === "object") first.end()
    expect(openOf("two", "one")).toBeTypeOf("object")
    expect(openOf("two")).toBe(429)
    streams.dispose()
  })

  it("end after the sent bytes, or with an error if a reader leaves more than 16 KiB unread", async () => {
    const streams = makeEventStreams({ maxOpen: 10 })
    const [ended, cut] = [open(streams), open(streams)]
    ended.send(encodeEvent({ data: "the last" }))
    ended.end()
    ended.send(encodeEvent({ data: "too late" }))
    expect(await new Response(ended.body).text()).toBe("data: the last\n\n")
    cut.send(new Uint8Array(16 * 1_024 - 1))
    cut.send(new Uint8Array(1))
    expect(streams.openCount()).toBe(1)
    cut.send(new Uint8Array(1))
    expect(streams.openCount()).toBe(0)
    await expect(new Response(cut.body).text()).rejects.toThrow("the reader is too slow")
  })
})
