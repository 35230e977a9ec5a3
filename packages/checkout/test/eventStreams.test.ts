import type { Exchange, Reply } from "@pixcharge/core"
import type { Responder } from "@pixcharge/http"
import { encodeEvent, type EventStream, type EventStreams, makeEventStreams } from "@pixcharge/web"
import { describe, expect, it, onTestFinished } from "vitest"
import { bindings } from "./bindings.ts"
import { openEvents } from "./openEvents.ts"

const streaming = (limits: { readonly maxOpen?: number; readonly heartbeatMs?: number } = {}) => {
  const streams = makeEventStreams({ maxOpen: 100, ...limits })
  onTestFinished(streams.dispose)
  const opened: Array<EventStream> = []
  const respond = async ({ signal }: Exchange): Promise<Reply> => {
    const stream = streams.open({ signal, onClosed: () => opened.splice(opened.indexOf(stream as EventStream), 1) })
    if (typeof stream === "number") return { status: 503, headers: {}, body: "full" }
    opened.push(stream)
    stream.send(encodeEvent({ data: "hello" }))
    return { status: 200, headers: { "content-type": "text/event-stream" }, body: stream.body }
  }
  return { responder: { respond } satisfies Responder, streams, opened }
}

const soon = (holds: () => boolean) => expect.poll(holds, { interval: 10 }).toBe(true)

const heartbeat = "event: heartbeat\ndata: 1\n\n"

const isEmpty = (streams: EventStreams) => () => streams.openCount() === 0

describe.each(bindings)("event streams through %s", (_, mount) => {
  it("sends one buffer to all readers, and heartbeats while there are no events", async () => {
    const { responder, opened } = streaming({ heartbeatMs: 30 })
    const url = `${await mount(responder)}/events`
    const readers = await Promise.all([openEvents(url), openEvents(url), openEvents(url)])
    const shared = encodeEvent({ event: "estado", id: "7", data: "one\ntwo", retryMs: 3_000 })
    for (const stream of opened) stream.send(shared)
    for (const reader of readers) {
      await reader.until(() => reader.text().includes("id: 7") && reader.text().endsWith(heartbeat + heartbeat))
      expect(reader.text()).toMatch(
        /^data: hello\n\n(?:event: heartbeat\ndata: 1\n\n)*retry: 3000\nevent: estado\nid: 7\ndata: one\ndata: two\n\nevent: heartbeat\n/,
      )
    }
  })

  it("ends a stream when the reader closes the connection, on `end`, and on `dispose`", async () => {
    const { responder, streams, opened } = streaming()
    const url = `${await mount(responder)}/events`
    const [first, second, third] = [await openEvents(url), await openEvents(url), await openEvents(url)]
    expect(streams.openCount()).toBe(3)
    first.close()
    await soon(() => streams.openCount() === 2)
    opened[0]?.send(encodeEvent({ data: "the last" }))
    opened[0]?.end()
    expect(await second.ended).toBe("ended")
    expect(second.text()).toContain("the last")
    streams.dispose()
    expect(await third.ended).toBe("ended")
    expect(isEmpty(streams)()).toBe(true)
    expect((await openEvents(url)).status).toBe(503)
  })

  it("disconnects a reader that doesn't read, without delaying other readers", async () => {
    const { responder, streams, opened } = streaming()
    const url = `${await mount(responder)}/events`
    const slow = await openEvents(url, { isRead: false })
    const quick = await openEvents(url)
    const chunk = encodeEvent({ data: "x".repeat(15_000) })
    // Sockets buffer some megabytes.
    for (let sent = 1; streams.openCount() === 2 && sent < 3_000; sent++) {
      for (const stream of opened.slice()) stream.send(chunk)
      await quick.until(() => quick.text().length >= sent * chunk.byteLength)
    }
    expect(streams.openCount()).toBe(1)
    expect(quick.hasEnded()).toBe(false)
    slow.close()
  })

  it("refuses streams above the maximum number", async () => {
    const { responder } = streaming({ maxOpen: 2 })
    const url = `${await mount(responder)}/events`
    const first = await openEvents(url)
    expect([first.status, (await openEvents(url)).status, (await openEvents(url)).status]).toEqual([200, 200, 503])
  })
})

it("ends a stream when its signal is aborted, and opens no stream for an aborted signal", () => {
  const streams = makeEventStreams({ maxOpen: 10 })
  const gone = new AbortController()
  let closed = 0
  const order = { signal: gone.signal, onClosed: () => void closed++ }
  const stream = streams.open(order)
  if (typeof stream === "number") throw new Error("expected the first stream to open")
  gone.abort()
  expect([streams.openCount(), closed]).toEqual([0, 1])
  stream.send(encodeEvent({ data: "too late" }))
  stream.end()
  expect([streams.openCount(), closed]).toEqual([0, 1])
  expect(streams.open(order)).toBe(503)
})
