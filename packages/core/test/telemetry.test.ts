import { failureFacts, logFailure, paymentLabel, safeSpan } from "@pixcharge/core/telemetry"
import { StoreUnavailable } from "@pixcharge/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"
import { describe, expect, it } from "vitest"

const prose = "Maria das Dores, 123 456 789 09"
const cnpj = "12345678000195"
const chargeId = "8f14e45f-ceea-467f-ab8a-3f0f5a4d7d10"

describe("what is told of a failure", () => {
  it.each([
    ["a text", prose, { error: "text" }],
    ["a machine's word", "circuitOpen", { error: "circuitOpen" }],
    ["a status before prose", `HTTP 404 ${prose}`, { error: "HTTP 404" }],
    ["a time limit", "no answer within 8000 ms", { error: "no answer within 8000 ms" }],
    ["nothing at all", undefined, { error: "undefined" }],
    ["an object that only looks like an error", { _tag: prose, name: prose, code: prose }, { error: "Error" }],
    ["a document as a code", { code: "12345678909", status: 12_345 }, { error: "Error" }],
    ["a code of the system", { name: "TypeError", code: "ECONNREFUSED" }, { error: "TypeError", code: "ECONNREFUSED" }],
    ["a SQLSTATE", { _tag: "SqlFailure", code: "23505", detail: prose }, { error: "SqlFailure", code: "23505" }],
    ["a document as an id", { _tag: "ChargeNotFound", id: "12345678909" }, { error: "ChargeNotFound" }],
    ["an id with more behind it", { _tag: "ChargeNotFound", id: `${chargeId}0` }, { error: "ChargeNotFound" }],
    ["a charge", { _tag: "ChargeNotFound", id: chargeId }, { error: "ChargeNotFound", id: chargeId }],
    ["a status behind prose", `${prose} HTTP 404`, { error: "text" }],
    ["a tag of three letters", { _tag: "Odd" }, { error: "Odd" }],
    ["an error class of one letter more", { name: "XError" }, { error: "XError" }],
    ["a company", { _tag: "CompanyNotFound", issuer: cnpj }, { error: "CompanyNotFound", issuer: cnpj }],
    ["an interruption", Cause.interrupt(1), { error: "Interrupted" }],
    [
      "a redacted error",
      Redacted.make({ code: "ERR_TLS_CERT", message: prose }),
      { error: "Error", code: "ERR_TLS_CERT" },
    ],
  ])("of %s", (_, failure, facts) => {
    expect(failureFacts(failure)).toEqual(facts)
  })

  it("goes through its causes, and ends where one is its own", () => {
    const outage = new StoreUnavailable({ operation: "commit", cause: { _tag: "SqlFailure", code: "55P03" } })
    expect(failureFacts(Cause.fail(outage))).toEqual({
      error: "StoreUnavailable",
      operation: "commit",
      cause: { error: "SqlFailure", code: "55P03" },
    })
    const endless: { cause?: unknown } = {}
    endless.cause = endless
    expect(JSON.stringify(failureFacts(endless)).match(/cause/g)).toHaveLength(5)
  })

  it("names the places of an error in the code, and no line of its message", () => {
    const error = new TypeError(`${prose}\n    at /Maria/Dores:1:1`)
    const { at } = failureFacts(Cause.die(error))
    expect(at).toEqual(expect.arrayContaining([expect.stringMatching(/telemetry\.test\.ts:\d+:\d+$/)]))
    expect(String(at)).not.toContain("Maria")
    error.stack = `TypeError: ${error.message}\n    at file:///app/a.js:1:2\n    at /app/b.js::3\n    at c (node:net:4:5)`
    expect(failureFacts(error)).toMatchObject({ at: ["file:///app/a.js:1:2", "node:net:4:5"] })
    error.message = "another one"
    expect(failureFacts(error)).toEqual({ error: "TypeError" })
  })

  it("a payment is called by its id only if that is one", () => {
    expect(paymentLabel(`E${"1".repeat(31)}`)).toBe(`E${"1".repeat(31)}`)
    expect(paymentLabel(prose)).toBe("of an odd id")
  })
})

it("a log has the facts, and the failure itself where only a logger of the host's own finds it", async () => {
  const logged: Array<ReadonlyArray<unknown>> = []
  const logger = Logger.layer([Logger.make(({ message }) => void logged.push(message as ReadonlyArray<unknown>))])
  const error = new Error(prose)
  await Effect.runPromise(Effect.provide(logFailure("Warn", "It broke", error), logger))
  const [message, facts, redacted] = logged[0] ?? []
  expect([message, facts, String(redacted)]).toEqual(["It broke", failureFacts(error), "<redacted>"])
  expect(Redacted.isRedacted(redacted) && Redacted.value(redacted)).toBe(error)
})

it("a span ends with the facts of a failure, which goes on as it was; what ends well ends well", async () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Layer.succeed(
    Tracer.Tracer,
    Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      },
    }),
  )
  const error = new StoreUnavailable({ operation: "find", cause: prose })
  const inSpan = safeSpan("outer", { issuer: cnpj })
  const run = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.runPromise(Effect.exit(Effect.provide(inSpan(effect), tracer)))
  const failed = await run(Effect.fail(error))
  expect(failed._tag === "Failure" && Cause.squash(failed.cause)).toBe(error)
  const died = await run(Effect.die(error))
  expect(died._tag === "Failure" && died.cause.reasons.map(({ _tag }) => _tag)).toEqual(["Die"])
  expect(await run(safeSpan("inner")(Effect.succeed(7)))).toMatchObject({ _tag: "Success", value: 7 })
  const [first, , , inner] = spans.map(({ status, name, attributes, parent }) => ({ status, name, attributes, parent }))
  expect(first).toMatchObject({ name: "outer", status: { _tag: "Ended", exit: { _tag: "Failure" } } })
  expect([...(first?.attributes ?? [])]).toEqual([["issuer", cnpj]])
  const told =
    first?.status._tag === "Ended" && first.status.exit._tag === "Failure"
      ? Cause.prettyErrors(first.status.exit.cause).map(({ name, message }) => [name, message])
      : []
  expect(told).toEqual([["StoreUnavailable", '{"operation":"find","cause":{"error":"text"}}']])
  expect(inner?.parent).toMatchObject({ value: { name: "outer" } })
})
