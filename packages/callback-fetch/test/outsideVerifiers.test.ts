import { callbackFetch } from "@pixcharge/callback-fetch"
import {
  anHttpEndpoint,
  anOlderSecret,
  aSecret,
  type ReceivedPost,
  startReceiver,
} from "@pixcharge/adapter-tests/fixtures"
import { itWith } from "@pixcharge/adapter-tests/suites"
import { CallbackDelivery } from "@pixcharge/core"
import type { EventKind } from "@pixcharge/core/charges"
import type { CallbackInput } from "@pixcharge/core/directory"
import { createPix, type SandboxPix } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import { afterEach, describe, expect, vi } from "vitest"
import { kinds, makeEvent } from "./everyKind.ts"

const delivery = callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" })
const aStrangersSecret = "whsec_dW0gc2VncmVkbyBxdWUgbmluZ3VlbSByZWdpc3Ryb3U="

/** Libraries that other people wrote for receivers. */
const libraries = { standardwebhooks: StandardWebhook, svix: SvixWebhook }

/** A copy with another character in the place of the one at `index`. */
const changedAt = (text: string, index: number): string =>
  text.slice(0, index) + (text[index] === "0" ? "1" : "0") + text.slice(index + 1)

const post = Effect.fnUntraced(function* (kind: EventKind, secrets: ReadonlyArray<string>) {
  const receiver = yield* startReceiver((response) => response.end())
  const event = { ...makeEvent(kind, kinds[kind][0]), companyName: "Padaria São João" }
  const endpoint = { ...anHttpEndpoint(receiver.url, secrets), kinds: ["paid", kind, "expired"] as const }
  const outcome = yield* (yield* CallbackDelivery).deliver(event, endpoint, 1)
  expect(outcome).toEqual({ _tag: "Delivered", status: 200 })
  const [received] = receiver.received
  return received ?? (yield* Effect.die("nobody posted"))
})

const shop = { cnpj: "12345678000195", name: "Loja", city: "Recife", pixKey: "loja@example.com", graceDays: 5 }

const startService = (): SandboxPix =>
  createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: memoryDirectory({ companies: [{ ...shop, integratorKey: "chave da loja" }] }),
    processor: sandboxProcessor(),
    callbacks: delivery,
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
  })

const sendPing = async (pix: SandboxPix, callback: CallbackInput): Promise<void> => {
  await pix.directory.putCompany({ ...shop, callback })
  await pix.events.ping(shop.cnpj, `callback-${shop.cnpj}`)
}

const isAccepted = (check: () => unknown): boolean => {
  try {
    check()
    return true
  } catch {
    return false
  }
}

describe.each(Object.entries(libraries))("the library %s", (_, Webhook) => {
  const verify = (secret: string, { headers, body }: Pick<ReceivedPost, "headers" | "body">) =>
    new Webhook(secret).verify(body, headers as Record<string, string>)

  afterEach(() => {
    vi.useRealTimers()
  })

  for (const kind of Object.keys(kinds) as Array<EventKind>) {
    itWith(delivery).live(`accepts a posted ${kind} by both secrets, and no other body, id, time or secret`, () =>
      Effect.gen(function* () {
        const received = yield* post(kind, [aSecret, anOlderSecret])
        const { headers, body } = received
        for (const secret of [aSecret, anOlderSecret]) expect(verify(secret, received)).toEqual(JSON.parse(body))
        expect(() => verify(aStrangersSecret, received)).toThrow("No matching signature")
        for (let index = 0; index < body.length; index += 31) {
          expect(() => verify(aSecret, { headers, body: changedAt(body, index) })).toThrow("No matching signature")
        }
        const later = String(Number(headers["webhook-timestamp"]) + 1)
        for (const change of [{ "webhook-id": `${headers["webhook-id"]}0` }, { "webhook-timestamp": later }]) {
          expect(() => verify(aSecret, { body, headers: { ...headers, ...change } })).toThrow("No matching signature")
        }
      }),
    )
  }

  itWith(delivery).live("accepts a callback for five minutes", () =>
    Effect.gen(function* () {
      const received = yield* post("paid", [aSecret])
      const sentAt = Number(received.headers["webhook-timestamp"]) * 1_000
      for (const after of [-300, 300]) {
        vi.useFakeTimers({ toFake: ["Date"], now: sentAt + after * 1_000 })
        expect(verify(aSecret, received)).toMatchObject({ tipo: "pix.pago" })
      }
      vi.setSystemTime(sentAt + 301_000)
      expect(() => verify(aSecret, received)).toThrow("too old")
      vi.setSystemTime(sentAt - 301_000)
      expect(() => verify(aSecret, received)).toThrow("too new")
    }),
  )

  itWith(Layer.empty).live("accepts a service's events while its callback secret is replaced", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver((response) => response.end())
      const pix = yield* Effect.acquireRelease(Effect.sync(startService), (service) =>
        Effect.promise(() => service.dispose()),
      )
      const signers: Array<ReadonlyArray<string>> = []
      for (const secrets of [[anOlderSecret], [aSecret, anOlderSecret], [aSecret]]) {
        yield* Effect.promise(() => sendPing(pix, { url: receiver.url, secrets }))
        yield* Effect.promise(() => expect.poll(() => receiver.received.length).toBe(signers.length + 1))
        const received = receiver.received.at(-1) ?? (yield* Effect.die("nobody posted"))
        signers.push([anOlderSecret, aSecret].filter((secret) => isAccepted(() => verify(secret, received))))
      }
      expect(signers).toEqual([[anOlderSecret], [anOlderSecret, aSecret], [aSecret]])
    }),
  )
})
