import * as opentelemetry from "@opentelemetry/api"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http"
import { NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node"
import { callbackFetch } from "@pixcharge/callback-fetch"
import type { StorePorts } from "@pixcharge/core"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { pino } from "pino"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { createPix, type HostOptions, type SandboxOptions } from "../src/index.ts"

const shop = "12345678000195"
const payer = { name: "Maria das Dores", taxId: "12345678909" }

const start = (over: Partial<SandboxOptions & HostOptions>) =>
  createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: memoryDirectory({
      companies: [
        {
          cnpj: shop,
          name: "Loja",
          city: "Recife",
          pixKey: "loja@example.com",
          integratorKey: "chave da loja",
          graceDays: 5,
        },
      ],
    }),
    processor: sandboxProcessor(),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
    ...over,
  })

interface SentSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: { readonly stringValue?: string } }>
  readonly status: { readonly code?: number; readonly message?: string }
}

describe("spans", () => {
  /** The bodies that an OpenTelemetry collector received. */
  const received: Array<string> = []
  const collector = createServer(async (request, response) => {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of request) chunks.push(chunk as Uint8Array)
    received.push(Buffer.concat(chunks).toString())
    response.setHeader("content-type", "application/json").end("{}")
  })
  let provider: NodeTracerProvider

  beforeAll(async () => {
    await once(collector.listen(0, "127.0.0.1"), "listening")
    const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`
    provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter({ url }))] })
    provider.register()
  })

  afterAll(async () => {
    await provider.shutdown()
    collector.closeAllConnections()
    collector.close()
    opentelemetry.trace.disable()
    opentelemetry.context.disable()
  })

  /** The spans sent during `use`. */
  const listSpans = async (use: () => Promise<unknown>): Promise<ReadonlyArray<SentSpan>> => {
    received.length = 0
    await use()
    await provider.forceFlush()
    const bodies = received.map((text) => JSON.parse(text))
    // oxlint-disable-next-line typescript/no-explicit-any -- the shape of OTLP
    return bodies.flatMap((body: any) => body.resourceSpans[0].scopeSpans.flatMap((scope: any) => scope.spans))
  }

  const readAttributes = ({ attributes }: SentSpan) =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]))

  it("reach a collector below the host's span when a charge is issued, without payer data", async () => {
    await using pix = start({ telemetry: opentelemetry })
    await pix.ready()
    const id = randomUUID()
    const host = opentelemetry.trace.getTracer("host")
    const spans = await listSpans(() =>
      host.startActiveSpan("POST /orders", async (span) => {
        await pix.issue(shop, { id, amountCents: 1_990, payer })
        span.end()
      }),
    )
    const [issue, order] = ["pix.charge.issue", "POST /orders"].map((name) => spans.find((span) => span.name === name))
    expect(readAttributes(issue as SentSpan)).toEqual({ issuer: shop, "charge.id": id })
    expect(issue).toMatchObject({ traceId: order?.traceId, parentSpanId: order?.spanId })
    expect(received.join("")).not.toMatch(/Maria|12345678909/)
  })

  it("have the class of a failed call's error, but no message", async () => {
    await using pix = start({ telemetry: opentelemetry })
    const spans = await listSpans(() => pix.find(shop, randomUUID()).catch(() => {}))
    const find = spans.find(({ name }) => name === "pix.charge.find")
    expect(find?.status).toMatchObject({ code: 2, message: "ChargeNotFound" })
    expect(readAttributes(find as SentSpan)).toMatchObject({ "error.type": "ChargeNotFound" })
  })

  it("are sent for the background work, and are active while the host's function runs", async () => {
    const active: Array<string | undefined> = []
    const onEvent = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      active.push(opentelemetry.trace.getActiveSpan()?.spanContext().spanId)
    }
    await using pix = start({ telemetry: opentelemetry, background: false, onEvent })
    const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 1 })
    await pix.simulatePayment(shop, id)
    const spans = await listSpans(() => pix.tick({ deadlineMs: 60_000 }))
    const deliver = spans.find(({ name }) => name === "pix.event.deliver")
    expect(readAttributes(deliver as SentSpan)).toMatchObject({
      "endpoint.id": "host",
      "delivery.outcome": "Delivered",
    })
    expect(active).toEqual([deliver?.spanId])
  })

  it("are absent without telemetry", async () => {
    await using pix = start({})
    expect(await listSpans(() => pix.issue(shop, { id: randomUUID(), amountCents: 1, payer }))).toEqual([])
  })
})

describe("log entries", () => {
  const down = Layer.unwrap(Effect.fail(Object.assign(new Error(payer.name), { code: "ECONNREFUSED" })))
  const store = down as Layer.Layer<StorePorts, unknown>
  const ask = (pix: ReturnType<typeof start>) => pix.fetch(new Request("http://localhost/api/pix/x"))

  it("go only to a given pino logger, as facts and a message", async () => {
    const printed = vi.spyOn(console, "log")
    const lines: Array<string> = []
    await using pix = start({ store, logger: pino({ base: null }, { write: (line) => void lines.push(line) }) })
    await ask(pix)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 50,
        time: expect.any(Number),
        msg: expect.stringContaining("could not start"),
        error: "BootFailure",
        cause: { error: "Error", code: "ECONNREFUSED", at: expect.any(Array) },
      },
    ])
    expect(printed).not.toHaveBeenCalled()
    printed.mockRestore()
    expect(lines.join("")).not.toContain(payer.name)
  })

  it("go to the console if it is the given logger", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {})
    await using pix = start({ store, logger: console })
    await ask(pix)
    const cause = { error: "Error", code: "ECONNREFUSED", at: expect.any(Array) }
    expect(error.mock.calls).toStrictEqual([[{ error: "BootFailure", cause }, expect.stringContaining("503")]])
    error.mockRestore()
  })

  it("go to a logger of winston's shape with the message first", async () => {
    const error = vi.fn()
    const nothing = () => {}
    // A logger of winston's `createLogger` has these members; `transports` is a getter of its prototype.
    const winston = Object.assign(
      Object.create({
        configure: nothing,
        get transports() {
          return []
        },
      }),
      {
        debug: nothing,
        info: nothing,
        warn: nothing,
        error,
      },
    ) as NonNullable<HostOptions["logger"]>
    await using pix = start({ store, logger: winston })
    await ask(pix)
    expect(error.mock.calls).toStrictEqual([
      [expect.stringContaining("503"), { error: "BootFailure", cause: expect.any(Object) }],
    ])
  })

  it("have the level of a request's failure, and a throwing logger doesn't change the answer", async () => {
    const warned: Array<unknown> = []
    const nothing = () => {}
    const warn = (_: object, message: string) => {
      warned.push(message)
      throw new Error("the disk is full")
    }
    await using pix = start({ logger: { debug: nothing, info: nothing, warn, error: nothing } })
    const secret = Buffer.from(`${shop}|chave da loja`).toString("base64url")
    const answer = await pix.fetch(new Request(`http://localhost/api/token/${secret}`))
    const { data } = (await answer.json()) as { readonly data: string }
    const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 1_992 })
    const simulated = await pix.fetch(
      new Request(`http://localhost/api/pix/simular-pagamento/${id}`, {
        method: "POST",
        headers: { authorization: `Bearer ${data}` },
      }),
    )
    expect(simulated.status).toBe(503)
    expect(warned).toEqual(["A request could not be carried out: simulate"])
  })
})

it("leaves no unhandled rejection of a logger that rejects", async () => {
  const rejected: Array<unknown> = []
  const note = (reason: unknown) => void rejected.push(reason)
  process.on("unhandledRejection", note)
  let logged = 0
  const fails = async () => {
    logged++
    throw new Error("the log is full")
  }
  const pix = start({
    store: Layer.unwrap(Effect.fail(new Error("down"))),
    logger: { debug: fails, info: fails, warn: fails, error: fails },
  })
  await pix.fetch(new Request("http://host/api/pix/x"))
  expect(logged).toBe(1)
  await new Promise((resolve) => setImmediate(resolve))
  process.off("unhandledRejection", note)
  expect(rejected).toEqual([])
  await pix.dispose()
})
