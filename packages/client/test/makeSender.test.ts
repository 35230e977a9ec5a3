import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { makeSender } from "../src/makeSender.ts"
import { PixClientError } from "../src/PixClientError.ts"

const begun = Date.UTC(2026, 10, 24, 12)
const call = { method: "GET", path: "/api/pix/1" }

/** A sender whose first answer is a 503 with this `Retry-After`. */
const busyWith = (retryAfter: string | undefined, retries = 1) => {
  const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter }
  const answers = [new Response("", { status: 503, headers }), new Response('{"sucesso":true}')]
  const fetch = vi.fn<typeof globalThis.fetch>(async () => answers.shift() ?? Response.error())
  return { fetch, send: makeSender({ baseUrl: "https://shop.example", fetch, retries }) }
}

describe("Retry-After", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: begun })
    vi.spyOn(Math, "random").mockReturnValue(0)
  })

  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it.each([
    ["in seconds", "45", 45_000],
    ["as a date", "Tue, 24 Nov 2026 12:10:00 GMT", 600_000],
    ["as a date with its offset", "Tue, 24 Nov 2026 12:10:00 GMT+0000", 600_000],
    ["as a date that begins with digits", "2026-11-24T12:10:00Z", 600_000],
    ["as a date that has passed", "Tue, 24 Nov 2026 11:00:00 GMT", 0],
    ["as unreadable text", "soon", undefined],
    ["as a fraction of a second", "0.5 s", undefined],
    ["not at all", undefined, undefined],
  ])("puts a Retry-After given %s into the error's retryAfterMs", async (_, header, retryAfterMs) => {
    const error = await busyWith(header, 0)
      .send(call)
      .then(
        () => undefined,
        (reason: unknown) => reason,
      )
    expect(error).toBeInstanceOf(PixClientError)
    // An undefined cause would appear in a log.
    expect(error).not.toHaveProperty("cause")
    expect(error).toMatchObject({ status: 503, isTransient: true, retryAfterMs })
  })

  it.each([
    ["30", 30_000],
    ["Tue, 24 Nov 2026 12:00:30 GMT", 30_000],
    ["Tue, 24 Nov 2026 11:00:00 GMT", 125],
    ["soon", 125],
  ])("waits for a Retry-After of %s before the next attempt", async (header, ms) => {
    const { fetch, send } = busyWith(header)
    const sent = send(call)
    await vi.advanceTimersByTimeAsync(ms - 1)
    expect(fetch).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect([(await sent).status, fetch.mock.calls.length]).toEqual([200, 2])
  })

  it("rejects instead of waiting for more than half a minute", async () => {
    const { fetch, send } = busyWith("31")
    await expect(send(call)).rejects.toMatchObject({ retryAfterMs: 31_000 })
    expect(fetch).toHaveBeenCalledTimes(1)
  })
})
