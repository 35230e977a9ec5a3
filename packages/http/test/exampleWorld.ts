import { createAdaptorServer } from "@hono/node-server"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { ChargeStore, CompanyDirectory, PaymentProcessor } from "@pixcharge/core"
import { createPix, type Pix, type SandboxOptions, type SandboxPix } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { type Call, makeHttpClient, mountServer } from "@pixcharge/adapter-tests/conformance"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import type { Server } from "node:http"
import { vi } from "vitest"
import { fetchHandler } from "../src/fetchHandler.ts"

/** The time of the examples. */
const now = new Date("2026-11-20T14:00:00Z")
const transactionIds = ["6d1f3c9a-52f7-4b0e-8f5e-0b7a5c1d9e01", "a2b94e17-3c5d-4e86-9a0f-7e6d5c4b3a02"] as const

export const shop = { cnpj: "12345678000195", key: "chave-da-loja" } as const
export const withoutWallet = { cnpj: "12ABC34501DE35", key: "chave-sem-carteira" } as const
export const withAbatement = { cnpj: "11222333000181", key: "chave-com-abatimento" } as const

type Actor = { readonly cnpj: string; readonly key: string }

const place = { name: "Minha Loja", city: "Recife", graceDays: 5 }

const directory = () =>
  memoryDirectory({
    companies: [
      { ...place, cnpj: shop.cnpj, integratorKey: shop.key, pixKey: "loja@example.com" },
      {
        ...place,
        cnpj: withoutWallet.cnpj,
        integratorKey: withoutWallet.key,
        pixKey: "sem-carteira@example.com",
        walletActive: false,
      },
      {
        ...place,
        cnpj: withAbatement.cnpj,
        integratorKey: withAbatement.key,
        pixKey: "abatimento@example.com",
        fees: { abatement: { kind: "fixed", amountCents: 100_000 } },
      },
    ],
  })

/** Makes the methods that replace a service's own. */
type Fault<S> = (real: S) => Partial<S>

/** Replacements of the adapters' methods. They take effect once they are set. */
export interface Faults {
  processor?: Fault<PaymentProcessor["Service"]>
  store?: Fault<ChargeStore["Service"]>
  directory?: Fault<CompanyDirectory["Service"]>
}

/** A service whose methods can be replaced. */
const replaceable = <I, S extends object>(tag: Context.Key<I, S>, replaced: () => Fault<S> | undefined) =>
  Layer.effect(
    tag,
    Effect.map(tag, (service) => {
      const handler: ProxyHandler<S> = {
        get: (target, name) => Reflect.get({ ...target, ...replaced()?.(target) }, name),
      }
      return new Proxy(service, handler)
    }),
  )

const isSandbox = (pix: Pix | SandboxPix): pix is SandboxPix => "clock" in pix

/** The real service over a real socket, with its clock at the time of the examples. */
export const openExampleWorld = async (environment: "sandbox" | "production" = "sandbox") => {
  vi.useFakeTimers({ toFake: ["Date"], now })
  const ids: Array<`${string}-${string}-${string}-${string}-${string}`> = [...transactionIds]
  vi.spyOn(globalThis.crypto, "randomUUID").mockImplementation(() => ids.shift() ?? randomUUID())
  // Logs aren't shown. Other tests cover them.
  vi.spyOn(console, "log").mockImplementation(() => undefined)
  const faults: Faults = {}
  const options: Omit<SandboxOptions, "environment" | "processor"> = {
    store: Layer.provideMerge(
      replaceable(ChargeStore, () => faults.store),
      memoryStore(),
    ),
    directory: Layer.provideMerge(
      replaceable(CompanyDirectory, () => faults.directory),
      directory(),
    ),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least thirty-two bytes" }] },
    openapi: true,
  }
  const processor = Layer.provideMerge(
    replaceable(PaymentProcessor, () => faults.processor),
    sandboxProcessor(),
  )
  const sandbox: SandboxOptions = {
    ...options,
    environment: "sandbox",
    processor: Object.assign(processor, { environment: "sandbox" as const }),
  }
  const pix = environment === "sandbox" ? await createPix(sandbox) : await createProduction(options)
  const server = await mountServer(createAdaptorServer({ fetch: fetchHandler(pix) }) as Server, "", false)
  const client = makeHttpClient(server.baseUrl)
  const fetchToken = async ({ cnpj, key }: Actor): Promise<string> => {
    const answer = await client.call({ method: "POST", path: "/api/token", body: { cnpj, chave: key } })
    return answer.json.data
  }
  return {
    pix,
    /** Advances the clock, only in the sandbox. */
    advance: (by: "11 minutes" | "91 days") => {
      if (!isSandbox(pix)) throw new Error("expected a sandbox, whose clock can be moved")
      return pix.clock.advance(by)
    },
    faults,
    call: client.call,
    /** Adds a company's new token to a call. */
    as: async (actor: Actor, call: Call): Promise<Call> => ({
      ...call,
      headers: { authorization: `Bearer ${await fetchToken(actor)}`, ...call.headers },
    }),
    close: async () => {
      client.close()
      await server.close()
      await pix.dispose()
      vi.restoreAllMocks()
      vi.useRealTimers()
    },
  }
}

const createProduction = async (options: Omit<SandboxOptions, "environment" | "processor">): Promise<Pix> =>
  createPix({
    ...options,
    environment: "production",
    processor: Layer.provide(Layer.effect(PaymentProcessor, PaymentProcessor), sandboxProcessor()),
  })

export type ExampleWorld = Awaited<ReturnType<typeof openExampleWorld>>
