import { callbackFetch } from "@pixcharge/callback-fetch"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { afterAll, describe, expect, it } from "vitest"
import { createPix } from "../src/index.ts"

const [shop, neighbour, reseller] = ["12345678000195", "11222333000181", "00000000000191"] as const
const subscriptions = [
  [shop, shop],
  [neighbour, neighbour],
  [neighbour, reseller],
] as const
const callback = { url: "https://loja.example/pix", secrets: ["whsec_c2VncmVkbyBkYSBsb2phIGRhIGVzcXVpbmE="] }
const facts = { name: "Loja", city: "Recife", graceDays: 5 }

const pix = await createPix({
  environment: "sandbox",
  store: memoryStore(),
  directory: memoryDirectory({
    resellers: [{ cnpj: reseller, name: "Revenda", integratorKey: "chave-da-revenda", callback }],
    companies: [
      { ...facts, cnpj: shop, pixKey: "loja@example.com", integratorKey: "chave-da-loja", callback },
      { ...facts, cnpj: neighbour, pixKey: "vizinho@example.com", reseller, callback },
    ],
  }),
  processor: sandboxProcessor(),
  callbacks: callbackFetch({ fetch: async () => new Response() }),
  tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
  onEvent: () => undefined,
})
afterAll(pix.dispose)

/** The same as a host that hands on what a request says. */
const given = (value: unknown) => value as never

describe("a company's request to pause or resume an endpoint", () => {
  it.each(["pause", "resume"] as const)("%s: holds for the endpoints that get its events", async (call) => {
    for (const [company, owner] of subscriptions) {
      await expect(pix.events[call](company, `callback-${owner}`)).resolves.toBeUndefined()
    }
  })

  it.each([
    ["another company's", `callback-${neighbour}`],
    ["a reseller's that isn't its own", `callback-${reseller}`],
    ["the host's own function, which gets everybody's events", "host"],
    ["unknown", "callback"],
    ["no text", given([`callback-${shop}`])],
    ["absent", given(undefined)],
  ])("is refused for one that is %s", async (_, endpointId) => {
    for (const call of ["pause", "resume"] as const) {
      await expect(pix.events[call](shop, endpointId)).rejects.toMatchObject({ _tag: "EndpointNotFound", endpointId })
    }
  })

  it("is refused without a company", async () => {
    await expect(pix.events.pause(given(undefined), `callback-${shop}`)).rejects.toMatchObject({ _tag: "InvalidTaxId" })
    await expect(pix.events.resume("host", given(undefined))).rejects.toMatchObject({ _tag: "InvalidTaxId" })
  })
})

describe("what a request says of a list of events", () => {
  it.each([
    ["status", "lost"],
    ["status", "toString"],
    ["status", "dead' OR true --"],
    ["status", ["dead"]],
    ["status", null],
    ["endpointId", 7],
    ["endpointId", { id: "host" }],
    ["endpointId", "a\0b"],
    ["period", "2026"],
    ["period", null],
    ["period", { from: "0", until: 1 }],
    ["period", { from: 0, until: Number.NaN }],
    ["period", { from: 0 }],
  ])("is refused for its %s: %j", async (field, value) => {
    await expect(pix.events.list(shop, given({ [field]: value }))).rejects.toMatchObject({
      _tag: "InvalidEventFilter",
      field,
      message: expect.stringContaining(field),
    })
  })

  it.each([
    ["cursor", 7],
    ["cursor", "a\0b"],
    ["limit", "10"],
  ])("is refused for its %s: %j", async (field, value) => {
    const error = { _tag: "InvalidEventFilter", field }
    await expect(pix.events.list(shop, {}, given({ [field]: value }))).rejects.toMatchObject(error)
    await expect(pix.events.deadLetters(shop, given({ [field]: value }))).rejects.toMatchObject(error)
  })

  it("is taken where it can be meant", async () => {
    for (const status of ["waiting", "delivered", "dead", "superseded", undefined] as const) {
      const filter = { status, endpointId: "host", period: { from: 0, until: 1 }, toString: 1 }
      expect(await pix.events.list(shop, given(filter), { limit: 1 })).toEqual({ items: [] })
    }
  })

  it("is taken for nothing where it is null", async () => {
    expect(await pix.events.list(shop, given(null), given(null))).toEqual({ items: [] })
    await expect(pix.events.replay(shop, given(null))).rejects.toMatchObject({ _tag: "NothingSelected" })
  })

  it("is held to the same rules by a replay and by the attempts of an event", async () => {
    const error = (field: string) => ({ _tag: "InvalidEventFilter", field })
    await expect(pix.events.replay(shop, given({ eventId: {} }))).rejects.toMatchObject(error("eventId"))
    await expect(pix.events.replay(shop, given({ period: {} }))).rejects.toMatchObject(error("period"))
    await expect(pix.events.attempts(shop, given([]), "host")).rejects.toMatchObject(error("eventId"))
    await expect(pix.events.attempts(shop, "evt_1", given(1))).rejects.toMatchObject(error("endpointId"))
  })
})
