import { checkout } from "@pixcharge/checkout"
import {
  CallbackDelivery,
  Checkout,
  type CheckoutRoute,
  DirectoryAdmin,
  EventDispatcher,
  hostDirectory,
  PaymentProcessor,
  PaymentSimulation,
  PixCharges,
} from "@pixcharge/core"
import { brasiliaDate, type LocalDate, nationalBankHolidays, withHolidays } from "@pixcharge/core/calendar"
import { type ChargeId, parseChargeRequest } from "@pixcharge/core/charges"
import type { HostCompany, HostEndpoint } from "@pixcharge/core/directory"
import type { Cnpj } from "@pixcharge/core/party"
import { Recurrences } from "@pixcharge/core/recurring"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { describe, expect, expectTypeOf, test } from "vitest"
import {
  type BootFailure,
  pixLayer,
  type PixOptions,
  type PlainEvent,
  type ProductionOptions,
  type SandboxOptions,
} from "../src/index.ts"
import { makeMovableClock } from "../src/instance/MovableClock.ts"

const shop = "12345678000195" as Cnpj
const id = "7e57ab1e-0000-4000-8000-000000000001" as ChargeId

/** The services of the host: its tables, its HTTP client, and a queue of events. */
class Tables extends Context.Service<
  Tables,
  { readonly find: (column: string) => Effect.Effect<HostCompany, string> }
>()("Tables") {}
class Post extends Context.Service<Post, { readonly send: (url: string) => Effect.Effect<void> }>()("Post") {}
class Inbox extends Context.Service<Inbox, Queue.Queue<PlainEvent>>()("Inbox") {}

const company: HostCompany = {
  cnpj: shop,
  name: "Loja",
  city: "Recife",
  pixKey: "loja@example.com",
  graceDays: 5,
}

const endpoint: HostEndpoint = {
  id: "loja",
  url: "https://loja.example/pix",
  secrets: [`whsec_${Buffer.alloc(32, 1).toString("base64")}`],
}

const directory = hostDirectory({
  companies: {
    find: (cnpj) => Effect.flatMap(Tables, (tables) => tables.find(cnpj)),
    byPixKey: (pixKey) => Effect.flatMap(Tables, (tables) => tables.find(pixKey)),
  },
  endpoints: {
    forCompany: () => Effect.succeed([endpoint]),
    find: () => Effect.succeed(endpoint),
    setStatus: () => Effect.void,
  },
})

const callbacks = Layer.effect(
  CallbackDelivery,
  Effect.map(Post, ({ send }) => ({
    deliver: (_, { target }) =>
      Effect.as(send(target._tag === "Http" ? target.url : ""), { _tag: "Delivered" } as const),
  })),
)

const PixLive = pixLayer({
  environment: "sandbox",
  store: memoryStore(),
  directory,
  processor: sandboxProcessor(),
  callbacks,
  onEvent: (event) => Effect.flatMap(Inbox, (inbox) => Queue.offer(inbox, event)).pipe(Effect.asVoid),
})

const issueAndPay = Effect.fnUntraced(function* (issuer: Cnpj) {
  const charges = yield* PixCharges
  const request = yield* Effect.fromResult(parseChargeRequest({ id, amountCents: 1_990 }))
  yield* charges.issue(issuer, request)
  yield* Effect.flatMap(PaymentSimulation, (payer) => payer.simulate(issuer, id))
})

it.live("requires the host's services that its adapters and onEvent use", () => {
  expectTypeOf(PixLive).toExtend<Layer.Layer<PixCharges, BootFailure, Tables | Post | Inbox>>()
  expectTypeOf<Layer.Services<typeof PixLive>>().toEqualTypeOf<Tables | Post | Inbox>()
  const [sent, asked]: [Array<string>, Array<string>] = [[], []]
  return Effect.gen(function* () {
    const inbox = yield* Queue.unbounded<PlainEvent>()
    const host = Layer.mergeAll(
      Layer.succeed(Tables, {
        find: (column) =>
          Effect.as(
            Effect.sync(() => asked.push(column)),
            company,
          ),
      }),
      Layer.succeed(Post, { send: (url) => Effect.sync(() => void sent.push(url)) }),
      Layer.succeed(Inbox, inbox),
    )
    yield* Effect.gen(function* () {
      yield* issueAndPay(shop)
      expect(yield* Queue.take(inbox)).toMatchObject({ kind: "paid", payment: { chargeId: id } })
    }).pipe(Effect.provide(Layer.provide(PixLive, host)))
    expect(asked).toContain(shop)
    expect(sent).toEqual(["https://loja.example/pix"])
  })
})

it.live("builds a Layer that two adapters share only once, even with onEvent", () => {
  let built = 0
  const tables = Layer.effect(
    Tables,
    Effect.sync(() => {
      built += 1
      return { find: () => Effect.succeed(company) }
    }),
  )
  const post = Layer.provide(
    Layer.effect(
      Post,
      Effect.map(Tables, () => ({ send: () => Effect.void })),
    ),
    tables,
  )
  const live = pixLayer({
    environment: "sandbox",
    store: memoryStore(),
    directory: Layer.provide(directory, tables),
    processor: sandboxProcessor(),
    callbacks: Layer.provide(callbacks, post),
    onEvent: () => undefined,
  })
  expectTypeOf<Layer.Services<typeof live>>().toEqualTypeOf<never>()
  return Effect.map(Layer.build(live), () => expect(built).toBe(1))
})

class First extends Context.Service<First, PixCharges["Service"]>()("First") {}
class Second extends Context.Service<Second, PixCharges["Service"]>()("Second") {}

/** Makes a pixcharge of one company. `events` collects the kinds and issuers of its events. */
const makeOfOne = (cnpj: string) => {
  const events: Array<string> = []
  const live = pixLayer({
    environment: "sandbox",
    store: memoryStore(),
    companies: [{ ...listedCompany, cnpj }],
    processor: sandboxProcessor(),
    onEvent: ({ issuer, kind }) => void events.push(`${kind} ${issuer}`),
    background: false,
  })
  return { live, events }
}

describe("two pixcharges in one program", () => {
  const other = "11222333000181" as Cnpj

  it.live("share no charges, payers and events", () => {
    const [first, second] = [makeOfOne(shop), makeOfOne(other)]
    const pay = Effect.fnUntraced(function* (issuer: Cnpj) {
      yield* issueAndPay(issuer)
      yield* Effect.flatMap(EventDispatcher, ({ roundWithin }) => roundWithin(1_000))
      return yield* PixCharges
    })
    const both = Layer.merge(
      Layer.provide(Layer.effect(First, pay(shop)), first.live),
      Layer.provide(Layer.effect(Second, pay(other)), second.live),
    )
    return Effect.gen(function* () {
      expect(yield* Effect.flip((yield* First).find(other, id))).toMatchObject({ _tag: "ChargeNotFound" })
      expect(yield* (yield* Second).find(other, id)).toMatchObject({ _tag: "Paid", issuer: other })
      expect([first.events, second.events]).toEqual([[`paid ${shop}`], [`paid ${other}`]])
    }).pipe(Effect.provide(both))
  })

  it.live("stay two if one is provided within the other, and are one if the same Layer is provided twice", () => {
    const [first, second] = [makeOfOne(shop).live, makeOfOne(other).live]
    return Effect.gen(function* () {
      const outer = yield* PixCharges
      expect(yield* Effect.provide(PixCharges, second)).not.toBe(outer)
      expect(yield* Effect.provide(PixCharges, first)).toBe(outer)
    }).pipe(Effect.provide(first))
  })

  it.live("have separate holidays", () => {
    const { live } = makeOfOne(shop)
    const closed = withHolidays(nationalBankHolidays, ["2027-03-02" as LocalDate])
    const outer = pixLayer({ ...sandbox, companies: [listedCompany], holidays: () => closed })
    const due = Effect.gen(function* () {
      const input = { id, amountCents: 1_990, dueDate: "2027-03-02" }
      const request = yield* Effect.fromResult(parseChargeRequest(input))
      const { payableUntil } = yield* (yield* PixCharges).issue(shop, request)
      return brasiliaDate(payableUntil)
    })
    return Effect.gen(function* () {
      expect(yield* due).toBe("2027-03-04")
      expect(yield* Effect.provide(due, live)).toBe("2027-03-03")
    }).pipe(Effect.provide(outer), Effect.provideService(Clock.Clock, makeMovableClock(Date.UTC(2027, 2, 1, 12))))
  })

  it.live("refuse the sandbox's processor in production, even within a valid pixcharge", () => {
    const production = { environment: "production", store: memoryStore({ inProduction: true }) } as const
    const moving = pixLayer({
      ...production,
      companies: [listedCompany],
      processor: Layer.mock(PaymentProcessor, { locality: "local" }),
    })
    const playing = pixLayer({
      ...production,
      companies: [listedCompany],
      processor: sandboxProcessor() as Layer.Layer<PaymentProcessor>,
    })
    return Effect.map(Effect.flip(Effect.provide(Layer.build(playing), moving)), ({ message }) =>
      expect(message).toContain("the sandbox's processor is not for production"),
    )
  })
})

const sandbox = { environment: "sandbox", store: memoryStore(), processor: sandboxProcessor() } as const
const listedCompany = { cnpj: shop, name: "Loja", city: "Recife", pixKey: "loja@example.com", graceDays: 1 }
const listed = { ...sandbox, companies: [listedCompany] }
const payersPages = {
  checkout: checkout({ url: "https://loja.example/pagar" }),
  tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
}

/** The services that only some options add. */
type Added = PaymentSimulation | Checkout | Recurrences | DirectoryAdmin

const findAdded = async (layer: Layer.Layer<PixCharges, unknown>) => {
  const context = await Effect.runPromise(Effect.scoped(Layer.build(layer)))
  const added = { PaymentSimulation, Checkout, Recurrences, DirectoryAdmin }
  return Object.entries(added).flatMap(([name, { key }]) => (context.mapUnsafe.has(key) ? [name] : []))
}

test("provides the services of its options, by type and at run time", async () => {
  const least = pixLayer(listed)
  const withPages = pixLayer({ ...listed, ...payersPages })
  const withRecurrences = pixLayer({ ...listed, recurrences: true })
  const withDirectory = pixLayer({ ...sandbox, directory: memoryDirectory({ companies: [listedCompany] }) })
  const without = pixLayer({ ...listed, recurrences: false })
  type Of<L extends Layer.Any> = Extract<Layer.Success<L>, Added>
  expectTypeOf<Of<typeof least>>().toEqualTypeOf<PaymentSimulation>()
  expectTypeOf<Of<typeof withPages>>().toEqualTypeOf<PaymentSimulation | Checkout>()
  expectTypeOf<Of<typeof withRecurrences>>().toEqualTypeOf<PaymentSimulation | Recurrences>()
  expectTypeOf<Of<typeof withDirectory>>().toEqualTypeOf<PaymentSimulation | DirectoryAdmin>()
  expectTypeOf<Of<typeof without>>().toEqualTypeOf<PaymentSimulation>()
  expect(await Promise.all([least, withPages, withRecurrences, withDirectory, without].map(findAdded))).toEqual([
    ["PaymentSimulation"],
    ["PaymentSimulation", "Checkout"],
    ["PaymentSimulation", "Recurrences"],
    ["PaymentSimulation", "DirectoryAdmin"],
    ["PaymentSimulation"],
  ])
})

test("has no type of a service whose option is optional", async () => {
  const settings: { readonly checkout?: CheckoutRoute; readonly recurrences?: boolean } = {}
  const uncertain = pixLayer({ ...listed, ...settings })
  const production = (options: ProductionOptions) => pixLayer(options)
  const sandboxed = (options: SandboxOptions) => pixLayer(options)
  const either = (options: PixOptions) => pixLayer(options)
  type Of<L extends Layer.Any> = Extract<Layer.Success<L>, Added>
  expectTypeOf<Of<typeof uncertain>>().toEqualTypeOf<PaymentSimulation>()
  expectTypeOf<Of<ReturnType<typeof production>>>().toEqualTypeOf<never>()
  expectTypeOf<Of<ReturnType<typeof sandboxed>>>().toEqualTypeOf<PaymentSimulation>()
  expectTypeOf<Of<ReturnType<typeof either>>>().toEqualTypeOf<never>()
  expect([production, sandboxed, either].every((one) => typeof one === "function")).toBe(true)
  expect(await findAdded(uncertain)).toEqual(["PaymentSimulation"])
})

test("refuses wrong options by their types", () => {
  const refused = () => [
    pixLayer({
      environment: "production",
      store: memoryStore(),
      // @ts-expect-error: it moves no money.
      processor: sandboxProcessor(),
    }),
    pixLayer({
      ...sandbox,
      // @ts-expect-error: it is not a flag.
      recurrences: 1,
    }),
    pixLayer({
      ...sandbox,
      // @ts-expect-error: it is no option.
      chekout: payersPages.checkout,
    }),
  ]
  expect(refused).toBeTypeOf("function")
})

it.live("refuses the option `frozenAt`", () => {
  const layer = pixLayer({
    environment: "sandbox",
    store: memoryStore(),
    companies: [listedCompany],
    processor: sandboxProcessor(),
    frozenAt: 0,
  })
  const message = 'the option "frozenAt" is for createPix: provide a Clock to the Layer'
  return Effect.map(Effect.flip(Layer.build(layer)), (failure) => expect(failure.message).toContain(message))
})
