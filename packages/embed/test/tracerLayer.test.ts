import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import {
  type OpenTelemetry,
  type OpenTelemetryContext,
  type OpenTelemetrySpan,
  tracerLayer,
} from "../src/telemetry/OpenTelemetry.ts"

/** An OpenTelemetry that records the calls of each span, with the span's name. */
const recordingTelemetry = (traceFlags = 1) => {
  const notes: Array<ReadonlyArray<unknown>> = []
  const trace: OpenTelemetry["trace"] = {
    getTracer: (tracer) => ({
      startSpan: (name, options, above) => {
        notes.push([tracer, "starts", name, options, above])
        const note = (...what: ReadonlyArray<unknown>) => void notes.push([name, ...what])
        return {
          spanContext: () => ({ traceId: `trace of ${name}`, spanId: `id of ${name}`, traceFlags }),
          setAttribute: (key, value) => note(key, value),
          addEvent: (event, attributes) => note("event", event, attributes),
          setStatus: (status) => note(status),
          end: () => note("ends"),
        } satisfies OpenTelemetrySpan
      },
    }),
    setSpan: (above, span) => `${String(above)} > ${span.spanContext().spanId}` as never,
  }
  const context: OpenTelemetry["context"] = {
    active: () => "the host's" as unknown as OpenTelemetryContext,
    with: (_, run) => run(),
  }
  const run = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.runPromise(Effect.ignoreCause(Effect.provide(effect, tracerLayer({ trace, context }))))
  return { notes, run }
}

describe("a span of ours", () => {
  it("keeps strings, numbers and booleans as attributes, and sends other values as strings", async () => {
    const { notes, run } = recordingTelemetry()
    const attributes = { count: 2, isLate: false, status: "paid", period: { from: 1 }, big: 3n }
    await run(Effect.withSpan(Effect.void, "a", { attributes }))
    expect(notes.slice(1)).toEqual([
      ["a", "count", 2],
      ["a", "isLate", false],
      ["a", "status", "paid"],
      ["a", "period", "[object Object]"],
      ["a", "big", "3"],
      ["a", "ends"],
    ])
  })

  it.each([
    ["internal", 0],
    ["server", 1],
    ["client", 2],
    ["producer", 3],
    ["consumer", 4],
  ] as const)("has the kind %s as the number %i, below the host's span", async (kind, number) => {
    const { notes, run } = recordingTelemetry()
    await run(Effect.withSpan(Effect.void, "a", { kind, root: true }))
    expect(notes[0]).toEqual(["pixcharge", "starts", "a", { kind: number, root: true }, "the host's"])
  })

  it("is the parent of the spans within it, and has their events", async () => {
    const { notes, run } = recordingTelemetry()
    const logged = Effect.withSpan(Effect.log("something happened"), "b")
    await run(Effect.withSpan(logged, "a"))
    expect(notes[1]).toEqual(["pixcharge", "starts", "b", expect.objectContaining({ kind: 0 }), "the host's > id of a"])
    expect(notes.find(([name, what]) => name === "b" && what === "event")).toEqual([
      "b",
      "event",
      "something happened",
      expect.objectContaining({ "effect.logLevel": "INFO" }),
    ])
  })

  it("has the class of a failure, but no failure if it is interrupted", async () => {
    const { notes, run } = recordingTelemetry()
    await run(Effect.withSpan(Effect.fail(new TypeError("prose")), "a"))
    await run(Effect.withSpan(Effect.interrupt, "b"))
    expect(notes.filter(([name]) => name === "a")).toEqual([
      ["a", "error.type", "TypeError"],
      ["a", { code: 2, message: "TypeError" }],
      ["a", "ends"],
    ])
    expect(notes.filter(([name]) => name === "b")).toEqual([["b", "ends"]])
  })

  it.each([
    [0, false],
    [1, true],
    [2, false],
    [3, true],
  ])("takes from the flags %i whether it is sampled: %s", async (traceFlags, isSampled) => {
    const { run } = recordingTelemetry(traceFlags)
    const spans: Array<unknown> = []
    const look = Effect.flatMap(Effect.currentSpan, ({ sampled, traceId, spanId, name }) =>
      Effect.sync(() => spans.push({ sampled, traceId, spanId, name })),
    )
    await run(Effect.withSpan(look, "a"))
    expect(spans).toEqual([{ sampled: isSampled, traceId: "trace of a", spanId: "id of a", name: "a" }])
  })
})
