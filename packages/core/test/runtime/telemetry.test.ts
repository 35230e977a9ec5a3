import { failureFacts, logFailure, paymentLabel, safeSpan } from "@pixcharge/core/internal"
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

describe("failureFacts", () => {
  it.each([
    ["a text", prose, { error: "text" }],
    ["a machine's word", "circuitOpen", { error: "circuitOpen" }],
    ["a status before prose", `HTTP 404 ${prose}`, { error: "HTTP 404" }],
    ["a code of OAuth", `HTTP 400 invalid_scope: ${prose}`, { error: "HTTP 400 invalid_scope" }],
    ["an unknown code of OAuth", "HTTP 400 maria_dores", { error: "HTTP 400" }],
    ["a time limit", "no answer within 8000 ms", { error: "no answer within 8000 ms" }],
    ["nothing at all", undefined, { error: "undefined" }],
    ["an object that only looks like an error", { _tag: prose, name: prose, code: prose }, { error: "Error" }],
    ["a tag with a name before it", { _tag: "maria Silva" }, { error: "Error" }],
    ["a tax id as a code", { code: "12345678909", status: 12_345 }, { error: "Error" }],
    ["a code of the system", { name: "TypeError", code: "ECONNREFUSED" }, { error: "TypeError", code: "ECONNREFUSED" }],
    ["a SQLSTATE", { _tag: "SqlFailure", code: "23505", detail: prose }, { error: "SqlFailure", code: "23505" }],
    ["a tax id as an id", { _tag: "ChargeNotFound", id: "12345678909" }, { error: "ChargeNotFound" }],
    ["an id with an extra digit", { _tag: "ChargeNotFound", id: `${chargeId}0` }, { error: "ChargeNotFound" }],
    ["a charge", { _tag: "ChargeNotFound", id: chargeId }, { error: "ChargeNotFound", id: chargeId }],
    ["a status behind prose", `${prose} HTTP 404`, { error: "text" }],
    ["a tag of three letters", { _tag: "Odd" }, { error: "Odd" }],
    ["an error class with one letter before it", { name: "XError" }, { error: "XError" }],
    ["a company", { _tag: "CompanyNotFound", issuer: cnpj }, { error: "CompanyNotFound", issuer: cnpj }],
    ["an interruption", Cause.interrupt(1), { error: "Interrupted" }],
    [
      "a redacted error",
      Redacted.make({ code: "ERR_TLS_CERT", message: prose }),
      { error: "Error", code: "ERR_TLS_CERT" },
    ],
  ])("describes %s", (_, failure, facts) => {
    expect(failureFacts(failure)).toEqual(facts)
  })

  const wellFormed = {
    operation: ["lookup", "x".repeat(40)],
    issuer: [cnpj, "12ABC34501DE35"],
    id: ["01234567-89ab-cdef-0123-456789abcdef"],
    endToEndId: [`E${"1".repeat(31)}`, `z${"A".repeat(31)}`],
    code: ["55P03", "E2BIG", "ENOTDIR", "ERR_TLS_CERT", `E${"A".repeat(20)}`, `A_${"B".repeat(60)}`],
    sqlState: ["55P03", "ECONNREFUSED", `E${"A".repeat(20)}`],
    status: [100, 599],
    retryAfterMs: [0, 1, Number.MAX_SAFE_INTEGER],
  }

  it.each(Object.entries(wellFormed))("shows %s unchanged", (name, values) => {
    for (const value of values) expect(failureFacts({ [name]: value })).toEqual({ error: "Error", [name]: value })
  })

  const malformed = {
    operation: ["", "look up", "lookup1", "x".repeat(41)],
    issuer: ["1234567800019", "1234567800019A", "12abc34501de35"],
    id: [
      "0123456789abcdef0123456789abcdef",
      "01234567-89ab-cdef-0123-456789abcdeg",
      "01234567-89abc-cdef0-01234-456789abcdef",
      "01234567-89AB-CDEF-0123-456789ABCDEF",
    ],
    endToEndId: [`E${"1".repeat(30)}`, `E${"1".repeat(32)}`, `E ${"1".repeat(30)}`],
    code: ["2350", "EN", "E1AB2C", "EMARIA1", `E${"A".repeat(21)}`, `A_${"B".repeat(61)}`, "1RR_A", "A_"],
    sqlState: ["2350", "235050", "EN", "E1AB2C", `E${"A".repeat(21)}`, "ERR_TLS_CERT", "55p03"],
    status: [99, 600, 200.5, "200"],
    retryAfterMs: [-1, 0.5, Number.MAX_SAFE_INTEGER + 1, "1"],
  }

  it.each(Object.entries(malformed))("hides a malformed %s", (name, values) => {
    for (const value of values) expect(failureFacts({ [name]: value })).toEqual({ error: "Error" })
  })

  it.each(Object.entries(wellFormed))("hides %s beside prose", (name, [value = ""]) => {
    for (const text of [`${prose} ${value}`, `${value} ${prose}`, `${value}\n`]) {
      expect(failureFacts({ [name]: text })).toEqual({ error: "Error" })
    }
  })

  it.each([
    ["HTTP 100", "HTTP 100"],
    ["HTTP 599", "HTTP 599"],
    ["HTTP 600", "text"],
    ["HTTP 099", "text"],
    [`${prose} HTTP 404`, "text"],
    ["circuitOpen", "circuitOpen"],
    [`circuitOpen ${prose}`, "text"],
    ["noClue", "text"],
    ["noReply", "text"],
    [`${"a".repeat(12)}A${"b".repeat(12)}`, `${"a".repeat(12)}A${"b".repeat(12)}`],
    [`${"a".repeat(13)}Open`, "text"],
    [`circuitO${"b".repeat(13)}`, "text"],
    ["no answer within 1234567 ms", "no answer within 1234567 ms"],
    ["no answer within 12345678 ms", "text"],
    [`no answer within 8000 ms ${prose}`, "text"],
  ])("describes the text %j by %j", (text, error) => {
    expect(failureFacts(text)).toEqual({ error })
  })

  const maxLengths = { tag: `T${"a".repeat(60)}`, name: `N${"a".repeat(50)}Error` }

  it.each([
    [{ _tag: "Abc" }, "Abc"],
    [{ _tag: maxLengths.tag }, maxLengths.tag],
    [{ name: "XError" }, "XError"],
    [{ name: "DOMException" }, "DOMException"],
    [{ name: maxLengths.name }, maxLengths.name],
    [{ _tag: "Ab" }, "Error"],
    [{ _tag: `${maxLengths.tag}a` }, "Error"],
    [{ _tag: "abc" }, "Error"],
    [{ _tag: "Abc1" }, "Error"],
    [{ name: "xError" }, "Error"],
    [{ name: `a${maxLengths.name}` }, "Error"],
    [{ name: `${maxLengths.name.slice(0, -5)}aError` }, "Error"],
    [{ name: "MariaErrors" }, "Error"],
  ])("calls the failure %j %s", (failure, error) => {
    expect(failureFacts(failure)).toEqual({ error })
  })

  it("shows the first five places of a stack", () => {
    const error = new TypeError(prose)
    const at = (...lines: ReadonlyArray<string>) => {
      error.stack = [`TypeError: ${prose}`, ...lines.map((line) => `    at ${line}`)].join("\n")
      return failureFacts(error)["at"]
    }
    expect(
      at("/app/a.js:1:2", "new Maria (file:///app/b.ts:30:4)", "async Promise.all (index 0)", "node:internal/c:5:60"),
    ).toEqual(["/app/a.js:1:2", "file:///app/b.ts:30:4", "node:internal/c:5:60"])
    expect(at("run (C:\\app\\d+1@2.js:7:8)")).toEqual(["C:\\app\\d+1@2.js:7:8"])
    expect(
      at("/a.js::1", "/a.js:1:", "/a.js:1", "a.js:1:1", "/:1:1", `/${"a".repeat(301)}:1:1`, "/a.js:1:1 Maria"),
    ).toBeUndefined()
    expect(at(`/${"a".repeat(300)}:1:1`)).toHaveLength(1)
    const six = [1, 2, 3, 4, 5, 6].map((line) => `/a.js:${line}:1`)
    expect(at(...six)).toEqual(six.slice(0, 5))
  })

  it("follows causes, and ends at an error that is its own cause", () => {
    const outage = new StoreUnavailable({ operation: "commit", cause: { _tag: "SqlFailure", sqlState: "55P03" } })
    expect(failureFacts(Cause.fail(outage))).toEqual({
      error: "StoreUnavailable",
      operation: "commit",
      cause: { error: "SqlFailure", sqlState: "55P03" },
    })
    const endless: { cause?: unknown } = {}
    endless.cause = endless
    expect(JSON.stringify(failureFacts(endless)).match(/cause/g)).toHaveLength(5)
  })

  it("shows an error's places, and no line of its message", () => {
    const error = new TypeError(`${prose}\n    at /Maria/Dores:1:1`)
    const { at } = failureFacts(Cause.die(error))
    expect(at).toEqual(expect.arrayContaining([expect.stringMatching(/telemetry\.test\.ts:\d+:\d+$/)]))
    expect(String(at)).not.toContain("Maria")
    error.stack = `TypeError: ${error.message}\n    at file:///app/a.js:1:2\n    at /app/b.js::3\n    at c (node:net:4:5)`
    expect(failureFacts(error)).toMatchObject({ at: ["file:///app/a.js:1:2", "node:net:4:5"] })
    error.message = "another one"
    expect(failureFacts(error)).toEqual({ error: "TypeError" })
  })

  it("paymentLabel shows only a well-formed id", () => {
    expect(paymentLabel(`E${"1".repeat(31)}`)).toBe(`E${"1".repeat(31)}`)
    expect(paymentLabel(prose)).toBe("of an odd id")
  })
})

it("logs the facts, and the failure only for a host's own logger", async () => {
  const logged: Array<ReadonlyArray<unknown>> = []
  const logger = Logger.layer([Logger.make(({ message }) => void logged.push(message as ReadonlyArray<unknown>))])
  const error = new Error(prose)
  await Effect.runPromise(Effect.provide(logFailure("Warn", "It broke", error), logger))
  const [message, facts, redacted] = logged[0] ?? []
  expect([message, facts, String(redacted)]).toEqual(["It broke", failureFacts(error), "<redacted>"])
  expect(Redacted.isRedacted(redacted) && Redacted.value(redacted)).toBe(error)
})

it("ends a span with a failure's facts, and leaves the outcome unchanged", async () => {
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
  const errors =
    first?.status._tag === "Ended" && first.status.exit._tag === "Failure"
      ? Cause.prettyErrors(first.status.exit.cause).map(({ name, message }) => [name, message])
      : []
  expect(errors).toEqual([["StoreUnavailable", '{"operation":"find","cause":{"error":"text"}}']])
  expect(inner?.parent).toMatchObject({ value: { name: "outer" } })
})
