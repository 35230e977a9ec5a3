import type { Exchange, Reply } from "@pixcharge/core"
import { fetchHandler } from "@pixcharge/http"
import { Buffer } from "node:buffer"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { buffer } from "node:stream/consumers"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Mount, Mounted } from "./Conformance.ts"

const utf8 = new TextEncoder()
const text = "Cobrança paga."
const picture = Buffer.from("89504e470d0a1a0a0000000d49484452ff00fe", "hex")
const chunk = new Uint8Array(64 * 1_024)
/** More pulls than it takes to fill the buffers between source and reader. */
const maxPulls = 1_024

type Answer = (exchange: Exchange) => Reply | Promise<Reply>

const soon = <A>(read: () => A) => expect.poll(read, { interval: 2 })

const makeSource = (feed: "row" | "endless" = "row") => {
  const seen = { pulls: 0, isCancelled: false }
  let controller!: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>(
    {
      start: (streamController) => {
        controller = streamController
      },
      pull: () => {
        seen.pulls++
        if (feed === "endless" && seen.pulls < maxPulls) controller.enqueue(chunk)
      },
      cancel: () => {
        seen.isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { body, seen, send: (event: string) => controller.enqueue(utf8.encode(event)), controller: () => controller }
}

const streamReply = (body: ReadableStream<Uint8Array>): Reply => ({
  status: 200,
  headers: { "content-type": "text/event-stream" },
  body,
})

/** Tests how a binding sends bodies that aren't text and treats callers that disconnect (decision 33). A stub answers. */
export const replyBodyRows = (mount: Mount): void => {
  let mounted: Mounted
  let answer: Answer

  beforeAll(async () => {
    const respond = (exchange: Exchange) =>
      exchange.url === "/body" ? Promise.resolve(exchange).then((received) => answer(received)) : undefined
    mounted = await mount({ respond, fetch: fetchHandler({ respond }) })
  })
  afterAll(() => mounted.close())

  const ask = async (next: Answer, method = "GET") => {
    answer = next
    const sent = request(`${mounted.baseUrl}/body`, { method, agent: false })
    sent.end()
    const [response] = (await once(sent, "response")) as [IncomingMessage]
    return response
  }

  const askAndLeave = async (next: Answer) => {
    await new Promise<void>((resolve) => {
      const sent = request(`${mounted.baseUrl}/body`, { agent: false })
      answer = async (exchange) => {
        sent.destroy()
        resolve()
        return next(exchange)
      }
      sent.on("error", () => undefined).end()
    })
  }

  it.each([
    ["a text", text, "text/plain; charset=utf-8"],
    ["an empty text", "", "text/plain; charset=utf-8"],
    ["a picture", new Uint8Array(picture), "image/png"],
  ])("sends %s with its length in bytes", async (_, body, type) => {
    const response = await ask(() => ({ status: 200, headers: { "content-type": type }, body }))
    const bytes = Buffer.from(body)
    expect(response.headers).toMatchObject({ "content-type": type, "content-length": String(bytes.length) })
    expect(response.headers["transfer-encoding"]).toBeUndefined()
    expect(await buffer(response)).toEqual(bytes)
  })

  it("answers a HEAD with a text's headers, without the text", async () => {
    const response = await ask(() => ({ status: 200, headers: { "content-type": "text/plain" }, body: text }), "HEAD")
    expect(response.headers).toMatchObject({ "content-type": "text/plain" })
    expect(await buffer(response)).toHaveLength(0)
  })

  it.each([204, 304])("sends a %i with headers, no body and no length", async (status) => {
    const response = await ask(() => ({ status, headers: { etag: '"1"' }, body: "" }))
    expect(response).toMatchObject({ statusCode: status, headers: { etag: '"1"' } })
    expect(response.headers["content-length"]).toBeUndefined()
    expect(await buffer(response)).toHaveLength(0)
  })

  it("sends a stream's head before its first event, and each event before the next is made", async () => {
    const { body, send, controller } = makeSource()
    const response = await ask(() => streamReply(body))
    expect(response.headers).toMatchObject({ "content-type": "text/event-stream", "transfer-encoding": "chunked" })
    expect(response.headers["content-length"]).toBeUndefined()
    for (const event of ["data: 1\n\n", "data: 2\n\n"]) {
      send(event)
      expect(String((await once(response, "data"))[0])).toBe(event)
    }
    controller().close()
    await once(response, "end")
    expect(response.complete).toBe(true)
  })

  it("makes a stream no faster than the caller reads it", async () => {
    const { body, seen } = makeSource("endless")
    const response = await ask(() => streamReply(body))
    let before = -1
    // The pulls stop once the buffers between source and caller are full.
    while (before !== seen.pulls && seen.pulls < maxPulls) {
      before = seen.pulls
      for (let calls = 0; calls < 5; calls++) await buffer(await ask(() => ({ status: 200, headers: {}, body: text })))
    }
    expect(seen.pulls).toBeLessThan(maxPulls)
    response.destroy()
    await soon(() => seen.isCancelled).toBe(true)
  })

  it("cancels a stream and aborts the signal when its caller disconnects", async () => {
    const { body, seen, send } = makeSource()
    let signal: AbortSignal | undefined
    const response = await ask((exchange) => {
      signal = exchange.signal
      return streamReply(body)
    })
    send("data: 1\n\n")
    await once(response, "data")
    expect([seen.isCancelled, signal?.aborted]).toEqual([false, false])
    response.destroy()
    await soon(() => [seen.isCancelled, signal?.aborted]).toEqual([true, true])
  })

  it("cancels the stream of a HEAD's reply without sending it", async () => {
    const { body, seen } = makeSource()
    const response = await ask(() => streamReply(body), "HEAD")
    expect(response.headers).toMatchObject({ "content-type": "text/event-stream" })
    expect(await buffer(response)).toHaveLength(0)
    await soon(() => seen.isCancelled).toBe(true)
    expect(seen.pulls).toBe(0)
  })

  it("cancels a stream without sending it if the caller has already disconnected", async () => {
    const { body, seen } = makeSource()
    await askAndLeave(async (exchange) => {
      await soon(() => exchange.signal.aborted).toBe(true)
      return streamReply(body)
    })
    await soon(() => seen.isCancelled).toBe(true)
  })

  it("breaks the connection of a failing stream, so that callers notice the missing part", async () => {
    const { body, send, controller } = makeSource()
    const response = await ask(() => streamReply(body))
    send("data: 1\n\n")
    await once(response, "data")
    const closed = new Promise((resolve) => response.on("error", () => undefined).on("close", resolve))
    controller().error(new Error("the source broke"))
    await closed
    expect(response.complete).toBe(false)
  })

  it("never aborts the signal of an answered request, and finishes the work for a disconnected caller", async () => {
    const signals: Array<AbortSignal> = []
    const read = ({ signal }: Exchange): Reply => {
      signals.push(signal)
      return { status: 200, headers: {}, body: text }
    }
    await buffer(await ask(read))
    let isFinished = false
    await askAndLeave(async (exchange) => {
      await soon(() => exchange.signal.aborted).toBe(true)
      isFinished = true
      return read(exchange)
    })
    await soon(() => isFinished).toBe(true)
    expect(String(await buffer(await ask(read)))).toBe(text)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true, false])
  })
}
