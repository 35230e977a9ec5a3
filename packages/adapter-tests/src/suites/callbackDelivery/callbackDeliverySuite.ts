import { CallbackDelivery } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { createHmac } from "node:crypto"
import { describe, expect } from "vitest"
import { aPaidCharge, aPendingCharge } from "../../fixtures/Charges.ts"
import { anHttpEndpoint, anOlderSecret, aSecret } from "../../fixtures/Endpoints.ts"
import { anEvent, aTestEvent } from "../../fixtures/Payments.ts"
import { type ReceivedPost, startReceiver } from "../../fixtures/Receiver.ts"
import { expiredCertificate, misnamedCertificate, trustedCertificate } from "../../fixtures/certificates.ts"
import { deliverTo, type DeliveryCase, deliveryCases } from "./DeliveryDriver.ts"
import { faultCases } from "./faultCases.ts"

/** Settings for the delivery under test, which must also reach http and https on any port of 127.0.0.1. */
export interface DeliverySurroundings {
  /** Certificates of authorities (PEM) to trust in addition to the public authorities. */
  readonly ca: ReadonlyArray<string>
}

/** Tests of `CallbackDelivery` over HTTP, with receivers that answer correctly and fail in every way. */
export const callbackDeliverySuite = (
  name: string,
  layerFor: (surroundings: DeliverySurroundings) => Layer.Layer<CallbackDelivery, unknown>,
): void => {
  describe(`${name}: CallbackDelivery`, () => {
    const ca = [trustedCertificate, misnamedCertificate, expiredCertificate].map(({ cert }) => cert)
    const { test, slow } = deliveryCases(layerFor({ ca }))
    describe("answers", () => answerCases(test))
    describe("faults", () => faultCases(test, slow))
  })
}

/** The signature of Standard Webhooks, computed without the package's own code. */
const expectedSignature = ({ headers, body }: ReceivedPost, secret: string): string => {
  const key = Buffer.from(secret.slice("whsec_".length), "base64")
  const content = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`
  return `v1,${createHmac("sha256", key).update(content).digest("base64")}`
}

export const answerCases = (test: DeliveryCase): void => {
  test("sends a paid event as a JSON POST with the body and headers of decision 23", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver((response) => response.end())
      const charge = aPaidCharge(aPendingCharge())
      const event = anEvent(charge)
      expect(yield* deliverTo(receiver.url, event)).toEqual({ _tag: "Delivered", status: 200 })
      const [post] = receiver.received
      expect(post).toMatchObject({ method: "POST", path: "/eventos?origem=pix" })
      expect(post?.headers).toMatchObject({
        host: `127.0.0.1:${receiver.port}`,
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(post?.body ?? "")),
        "webhook-id": event.id,
      })
      expect(JSON.parse(post?.body ?? "")).toEqual({
        id: event.id,
        tipo: "pix.pago",
        timestamp: new Date(event.occurredAt).toISOString(),
        dados: {
          empresa: { cnpj: event.issuer, nome: event.companyName },
          pagamento: {
            idFaturaPag: charge.id,
            txid: charge.txid,
            endToEndId: charge.payment.endToEndId,
            valor: 19.9,
          },
        },
      })
    }))

  test("adds further fields of a paid event only for an endpoint that names more kinds than `paid`", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver((response) => response.end())
      const event = anEvent(aPaidCharge(aPendingCharge()))
      for (const kinds of [["paid"], ["paid", "refunded"]] as const) yield* deliverTo(receiver.url, event, kinds)
      const [usual, further] = receiver.received.map(({ body }) => JSON.parse(body) as { readonly dados: object })
      expect(Object.keys(usual?.dados ?? {})).toEqual(["empresa", "pagamento"])
      expect(further?.dados).toEqual({ ...usual?.dados, foraDoPrazo: false, valorDiferente: false })
    }))

  test("sends a refund as `pix.estornado`, and a test as `pix.teste` without a payment", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver((response) => response.end())
      const paid = anEvent(aPaidCharge(aPendingCharge()))
      yield* deliverTo(receiver.url, { ...paid, kind: "refunded", returnKind: "dispute" })
      yield* deliverTo(receiver.url, aTestEvent())
      const [refunded, ping] = receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
      expect(refunded).toMatchObject({ tipo: "pix.estornado", dados: { pagamento: { valor: 19.9 } } })
      expect(ping?.["tipo"]).toBe("pix.teste")
      expect(ping?.["dados"]).toEqual({ empresa: expect.anything() })
    }))

  test("signs with every secret of the endpoint, because receivers use any of them during a change of secrets", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver((response) => response.end())
      const delivery = yield* CallbackDelivery
      yield* delivery.deliver(aTestEvent(), anHttpEndpoint(receiver.url, [aSecret, anOlderSecret]), 1)
      const [post] = receiver.received
      if (post === undefined) throw new Error("expected one request")
      expect(post.headers["webhook-signature"]).toBe(
        `${expectedSignature(post, aSecret)} ${expectedSignature(post, anOlderSecret)}`,
      )
      expect(Math.abs(Number(post.headers["webhook-timestamp"]) - Date.now() / 1_000)).toBeLessThan(60)
    }))

  test("keeps an event's id and body over all attempts", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver((response) => response.writeHead(500).end())
      const delivery = yield* CallbackDelivery
      const event = anEvent(aPaidCharge(aPendingCharge()))
      for (const attempt of [1, 2, 3]) yield* delivery.deliver(event, anHttpEndpoint(receiver.url), attempt)
      expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
      expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([event.id, event.id, event.id])
    }))

  test("passes the current trace on to the receiver", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver((response) => response.end())
      const span = yield* Effect.currentSpan.pipe(
        Effect.tap(() => deliverTo(receiver.url)),
        Effect.withSpan("host"),
      )
      expect(receiver.received[0]?.headers["traceparent"]).toMatch(new RegExp(`^00-${span.traceId}-[0-9a-f]{16}-01$`))
    }))

  test("delivers on any 2xx, gives up on 410, and retries anything else", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver((response, _, count) =>
        response.writeHead(statuses[count - 1] ?? 500).end("texto"),
      )
      for (const status of statuses) {
        const expected = status < 300 ? "Delivered" : status === 410 ? "Gone" : "Retry"
        expect(yield* deliverTo(receiver.url)).toMatchObject({ _tag: expected, status })
      }
    }))

  test("reads Retry-After as seconds or as a date", () =>
    Effect.gen(function* () {
      const until = Math.ceil(Date.now() / 1_000) * 1_000 + 90_000
      const values = ["120", new Date(until).toUTCString(), "-5", "1.5", "", "logo", "0"]
      const receiver = yield* startReceiver((response, _, count) =>
        response.writeHead(429, { "retry-after": values[count - 1] }).end(),
      )
      const waits: Array<number | undefined> = []
      for (const _ of values) {
        const outcome = yield* deliverTo(receiver.url)
        waits.push(outcome._tag === "Retry" ? outcome.retryAfterMs : Number.NaN)
      }
      expect(waits[0]).toBe(120_000)
      expect(waits[1]).toBeGreaterThan(80_000)
      expect(waits[1]).toBeLessThanOrEqual(92_000)
      // Invalid values are ignored.
      expect(waits.slice(2)).toEqual([undefined, undefined, undefined, undefined, 0])
    }))

  test("keeps the answer's first kilobyte, without control characters", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver((response) =>
        response.writeHead(500).end(`\u0000\u001b[31mé${"ã".repeat(4_000)}`),
      )
      const { answer = "" } = yield* deliverTo(receiver.url)
      expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(1_024)
      expect(answer).toMatch(/^\[31méã+$/)
    }))

  test("reads an answer that arrives in pieces", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver((response) => {
        response.write("rece")
        setTimeout(() => response.end("bido"), 30)
      })
      expect(yield* deliverTo(receiver.url)).toEqual({ _tag: "Delivered", status: 200, answer: "recebido" })
    }))

  test("reuses connections, even after the receiver closed one", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver((response) => response.end())
      for (let round = 0; round < 20; round++) yield* deliverTo(receiver.url)
      expect(receiver.connections()).toBeLessThanOrEqual(2)
      for (const socket of receiver.sockets) socket.destroy()
      expect(yield* deliverTo(receiver.url)).toMatchObject({ _tag: "Delivered" })
      expect(receiver.received).toHaveLength(21)
    }))

  test("makes no call without a secret, or to an endpoint that is a function", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver((response) => response.end())
      const delivery = yield* CallbackDelivery
      const ping = (secrets: ReadonlyArray<string>) =>
        delivery.deliver(aTestEvent(), anHttpEndpoint(receiver.url, secrets), 1)
      for (const secrets of [[], ["whsec_"], ["whsec_!!!"], ["whsec_c2VncmVkbw=="]]) {
        expect((yield* ping(secrets))._tag).toBe("Retry")
      }
      const host = { ...anHttpEndpoint(receiver.url), target: { _tag: "Host" as const } }
      expect((yield* delivery.deliver(aTestEvent(), host, 1))._tag).toBe("Retry")
      expect(receiver.received).toHaveLength(0)
    }))
}

const statuses = [200, 201, 202, 204, 299, 300, 304, 400, 401, 404, 409, 410, 429, 500, 502, 503, 504]
