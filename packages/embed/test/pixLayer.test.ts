import { callbackFetch } from "@pixcharge/callback-fetch"
import { PaymentSimulation, PixCharges } from "@pixcharge/core"
import { type ChargeId, parseChargeRequest } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import { PixHttp } from "@pixcharge/http"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import { BootFailure, pixLayer, type ProductionOptions, type SandboxOptions } from "../src/index.ts"
import { makeMovableClock } from "../src/instance/MovableClock.ts"

const shop = "12345678000195" as Cnpj
const id = "7e57ab1e-0000-4000-8000-000000000001" as ChargeId

const options: SandboxOptions = {
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
}

it.live("runs the reconciler for a host in Effect, and finds a payment whose notice was lost", () => {
  const clock = makeMovableClock()
  return Effect.gen(function* () {
    const charges = yield* PixCharges
    const request = yield* Effect.fromResult(parseChargeRequest({ id, amountCents: 1_995 }))
    yield* charges.issue(shop, request)
    yield* Effect.flatMap(PaymentSimulation, (payer) => payer.simulate(shop, id))
    expect(yield* charges.find(shop, id)).toMatchObject({ _tag: "Pending" })
    clock.advanceUnsafe("1 minute")
    // The reconciler's loop waits for at most 5 s.
    const isPaid = Effect.map(charges.find(shop, id), ({ _tag }) => _tag === "Paid")
    yield* Effect.repeat(Effect.delay(isPaid, 50), { until: (paid) => paid })
  }).pipe(Effect.provide(Layer.provideMerge(pixLayer(options), Layer.succeed(Clock.Clock, clock))))
})

it.live("serves the routes for a host in Effect", () =>
  Effect.gen(function* () {
    const { respond } = yield* PixHttp
    const { signal } = new AbortController()
    const body = async () => ({ _tag: "Text", text: "" }) as const
    const call = (url: string) => respond({ method: "GET", url, fullUrl: url, header: () => undefined, body, signal })
    expect(yield* call("/api/pix/x") ?? Effect.die("none of ours")).toMatchObject({ status: 401 })
    expect(call("/host")).toBeUndefined()
  }).pipe(Effect.provide(pixLayer(options))),
)

const refusals: ReadonlyArray<[string, object, string]> = [
  ["an adapter that fails", { store: Layer.unwrap(Effect.fail(new Error("no such database"))) }, "no such database"],
  ["a missing option", { processor: undefined }, 'the option "processor" is missing'],
  ["an unknown environment", { environment: "staging" }, 'the option "environment" must be "sandbox" or "production"'],
  [
    "the sandbox's processor in production",
    { environment: "production", store: memoryStore({ inProduction: true }) },
    "the sandbox's processor is not for",
  ],
  [
    "a volatile store in production",
    { environment: "production" },
    'the option "store" must keep its records in production',
  ],
]
for (const [what, over, message] of refusals) {
  it.live(`fails with a BootFailure for ${what}`, () =>
    Effect.gen(function* () {
      const layer = pixLayer({ ...options, ...over } as unknown as ProductionOptions)
      const failure = yield* Effect.flip(Layer.build(layer))
      expect(failure).toBeInstanceOf(BootFailure)
      expect(failure.message).toContain(`pixcharge could not start: ${message}`)
    }),
  )
}
