import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { CallbackDelivery } from "@pixcharge/core"
import type { ChargeId, PixEvent, Txid } from "@pixcharge/core/charges"
import type { Endpoint } from "@pixcharge/core/directory"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { it, itWith } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"
import { Webhook } from "standardwebhooks"
import { expect, vi } from "vitest"

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq"

const paid: PixEvent = {
  id: "evt_0190c2a4b5d67e8f9a0b1c2d3e4f5a6b_paid",
  kind: "paid",
  issuer: "12345678000195" as Cnpj,
  companyName: "Padaria São João",
  occurredAt: Date.UTC(2026, 6, 1, 12, 0, 0),
  payment: {
    chargeId: "0190c2a4-b5d6-7e8f-9a0b-1c2d3e4f5a6b" as ChargeId,
    txid: "0190c2a4b5d67e8f9a0b1c2d3e4f5a6b" as Txid,
    endToEndId: "E1234567820260701120000000000001",
    amountCents: 1990 as Cents,
  },
}

const unsendable: ReadonlyArray<[string, Endpoint["target"], string]> = [
  [
    "no valid secret",
    { _tag: "Http", url: "https://receiver.example/", secrets: [Redacted.make("whsec_")] },
    "the endpoint has no valid secret",
  ],
  ["no URL", { _tag: "Host" }, "the endpoint is a function of the host, not a URL"],
]
for (const [what, target, reason] of unsendable) {
  itWith(callbackFetch()).live(`sends nothing to an endpoint with ${what}, and names the reason`, () =>
    Effect.gen(function* () {
      const endpoint = { id: "ep_1", kinds: ["paid"], status: "enabled", target } as const
      const outcome = yield* (yield* CallbackDelivery).deliver(paid, endpoint, 1)
      expect(outcome).toEqual({ _tag: "Retry", reason })
    }),
  )
}

it.live("sends real time in whole seconds, and the host's trace", () =>
  Effect.gen(function* () {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 6, 1, 12, 0, 0, 999) })
    const seen: Array<Headers> = []
    const fetch: typeof globalThis.fetch = async (_, init) => {
      seen.push(new Headers(init?.headers))
      return new Response()
    }
    const target = { _tag: "Http", url: "https://receiver.example/", secrets: [Redacted.make(secret)] } as const
    const deliver = Effect.gen(function* () {
      return yield* (yield* CallbackDelivery).deliver(
        paid,
        { id: "ep_1", kinds: ["paid"], status: "enabled", target },
        1,
      )
    }).pipe(Effect.provide(callbackFetch({ fetch })))
    for (const sampled of [true, false]) {
      const span = Tracer.externalSpan({ traceId: "c0ffee", spanId: "0123456789abcdef", sampled })
      yield* Effect.provideService(deliver, Tracer.ParentSpan, span)
    }
    vi.useRealTimers()
    expect(seen.map((headers) => headers.get("traceparent"))).toEqual([
      `00-${"c0ffee".padStart(32, "0")}-0123456789abcdef-01`,
      `00-${"c0ffee".padStart(32, "0")}-0123456789abcdef-00`,
    ])
    expect(seen[0]?.get("webhook-timestamp")).toBe(String(Date.UTC(2026, 6, 1, 12) / 1_000))
  }),
)

it.live("sends a signed POST that the Standard Webhooks library accepts", () =>
  Effect.gen(function* () {
    const seen: Array<{ headers: Record<string, string>; body: string }> = []
    const server = createServer((request, response) => {
      let body = ""
      request.on("data", (chunk: Buffer) => (body += chunk.toString()))
      request.on("end", () => {
        seen.push({ headers: request.headers as Record<string, string>, body })
        response.end("ok")
      })
    }).listen(0, "127.0.0.1")
    yield* Effect.promise(() => new Promise((resolve) => server.once("listening", resolve)))
    const endpoint: Endpoint = {
      id: "ep_1",
      kinds: ["paid"],
      status: "enabled",
      target: {
        _tag: "Http",
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/eventos?x=1`,
        secrets: [Redacted.make(secret)],
      },
    }
    const outcome = yield* Effect.gen(function* () {
      return yield* (yield* CallbackDelivery).deliver(paid, endpoint, 1)
    }).pipe(Effect.provide(callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" })))
    server.close()
    expect(outcome).toEqual({ _tag: "Delivered", status: 200, answer: "ok" })
    const [request] = seen
    expect(request?.headers["user-agent"]).toBe("pixcharge")
    expect(new Webhook(secret).verify(request?.body ?? "", request?.headers ?? {})).toEqual({
      id: paid.id,
      tipo: "pix.pago",
      timestamp: "2026-07-01T12:00:00.000Z",
      dados: {
        empresa: { cnpj: "12345678000195", nome: "Padaria São João" },
        pagamento: {
          idFaturaPag: "0190c2a4-b5d6-7e8f-9a0b-1c2d3e4f5a6b",
          txid: "0190c2a4b5d67e8f9a0b1c2d3e4f5a6b",
          endToEndId: "E1234567820260701120000000000001",
          valor: 19.9,
        },
      },
    })
  }),
)
