import { callbackFetch } from "@pixcharge/callback-fetch"
import { hostDirectory } from "@pixcharge/core"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { afterAll, describe, expect, it } from "vitest"
import { createPix } from "../src/index.ts"

const [shop, neighbour, reseller] = ["12345678000195", "11222333000181", "00000000000191"] as const
const callback = { url: "https://loja.example/pix", secrets: ["whsec_c2VncmVkbyBkYSBsb2phIGRhIGVzcXVpbmE="] }
const facts = { name: "Loja", city: "Recife", graceDays: 5 }

const options = {
  environment: "sandbox",
  store: memoryStore(),
  processor: sandboxProcessor(),
  callbacks: callbackFetch({ fetch: async () => new Response() }),
  tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
} as const

const pix = createPix({
  ...options,
  directory: memoryDirectory({
    resellers: [{ cnpj: reseller, name: "Revenda", integratorKey: "chave-da-revenda", callback }],
    companies: [
      { ...facts, cnpj: shop, pixKey: "loja@example.com", integratorKey: "chave-da-loja", callback },
      { ...facts, cnpj: neighbour, pixKey: "vizinho@example.com", reseller, callback },
      { ...facts, cnpj: reseller, pixKey: "revenda@example.com", reseller },
    ],
  }),
  onEvent: () => undefined,
})
afterAll(pix.dispose)

const given = (value: unknown) => value as never

describe("the endpoints of a company", () => {
  it("are listed with the company's rights to pause, without secrets and paths", async () => {
    const endpoints = await pix.events.endpoints(neighbour)
    expect(endpoints.map(({ id, host, isOwn, kinds, health }) => ({ id, host, isOwn, kinds, health }))).toEqual([
      { id: `callback-${neighbour}`, host: "loja.example", isOwn: true, kinds: ["paid"], health: "healthy" },
      { id: `callback-${reseller}`, host: "loja.example", isOwn: false, kinds: ["paid"], health: "healthy" },
      {
        id: "host",
        host: undefined,
        isOwn: false,
        kinds: [
          "paid",
          "refunded",
          "refund-failed",
          "recurrence-approved",
          "recurrence-ended",
          "cycle-due",
          "payment-scheduled",
          "payment-failed",
        ],
        health: "healthy",
      },
    ])
    expect((await pix.events.endpoints(reseller)).map(({ isOwn }) => isOwn)).toEqual([true, false])
    expect(JSON.stringify(endpoints)).not.toMatch(/whsec|\/pix|https/)
  })
})

describe("a company's request to pause or resume an endpoint", () => {
  it.each(["pause", "resume"] as const)(
    "%s: is accepted for the company's endpoint, and from a reseller for the reseller's endpoint",
    async (call) => {
      for (const company of [shop, neighbour, reseller]) {
        await expect(pix.events[call](company, `callback-${company}`)).resolves.toBeUndefined()
      }
    },
  )

  it.each(["pause", "resume"] as const)(
    "%s: is refused for the endpoint of the company's reseller, which other companies share",
    async (call) => {
      await expect(pix.events.ping(neighbour, `callback-${reseller}`)).resolves.toMatchObject({ kind: "test" })
      await expect(pix.events[call](neighbour, `callback-${reseller}`)).rejects.toMatchObject({
        _tag: "EndpointNotFound",
        endpointId: `callback-${reseller}`,
      })
    },
  )

  it("is refused from a reseller's company if the host's tables don't name the endpoint's owner", async () => {
    const find = async (cnpj: string) => ({
      ...facts,
      cnpj,
      pixKey: cnpj,
      ...(cnpj !== shop && { reseller: { cnpj: reseller, name: "Revenda" } }),
    })
    const rows = [{ ...callback, id: "linha-7" }]
    let statusWrites = 0
    await using hosted = createPix({
      ...options,
      directory: hostDirectory({
        companies: { find, byPixKey: find },
        endpoints: {
          forCompany: async () => rows,
          find: async () => rows[0],
          setStatus: async () => void statusWrites++,
        },
      }),
    })
    await expect(hosted.events.pause(neighbour, "linha-7")).rejects.toMatchObject({ _tag: "EndpointNotFound" })
    expect(statusWrites).toBe(0)
    for (const company of [shop, reseller]) await hosted.events.pause(company, "linha-7")
    expect(statusWrites).toBe(2)
  })

  it.each([
    ["that of another company", `callback-${neighbour}`],
    ["that of a reseller without this company", `callback-${reseller}`],
    ["the host's function, which gets all companies' events", "host"],
    ["unknown", "callback"],
    ["a list instead of a string", given([`callback-${shop}`])],
    ["absent", given(undefined)],
  ])("is refused for an endpoint that is %s", async (_, endpointId) => {
    for (const call of ["pause", "resume"] as const) {
      await expect(pix.events[call](shop, endpointId)).rejects.toMatchObject({ _tag: "EndpointNotFound", endpointId })
    }
  })

  it("is refused without a company", async () => {
    await expect(pix.events.pause(given(undefined), `callback-${shop}`)).rejects.toMatchObject({ _tag: "InvalidTaxId" })
    await expect(pix.events.resume("host", given(undefined))).rejects.toMatchObject({ _tag: "InvalidTaxId" })
  })
})

describe("a selection of events", () => {
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
  ])("is refused for an invalid %s: %j", async (field, value) => {
    await expect(pix.events.list(shop, given({ [field]: value }))).rejects.toMatchObject({
      _tag: "InvalidFilter",
      field,
      message: expect.stringContaining(field),
    })
  })

  it.each([
    ["cursor", 7],
    ["cursor", "a\0b"],
    ["limit", "10"],
  ])("is refused for an invalid %s of its page: %j", async (field, value) => {
    const error = { _tag: "InvalidFilter", field }
    await expect(pix.events.list(shop, {}, given({ [field]: value }))).rejects.toMatchObject(error)
    await expect(pix.events.deadLetters(shop, given({ [field]: value }))).rejects.toMatchObject(error)
  })

  it("is accepted if it is valid", async () => {
    for (const status of ["waiting", "delivered", "dead", "superseded", undefined] as const) {
      const filter = { status, endpointId: "host", period: { from: 0, until: 1 } }
      expect(await pix.events.list(shop, given(filter), { limit: 1 })).toEqual({ items: [] })
    }
  })

  it("selects everything in a list and nothing in a replay if it is null", async () => {
    expect(await pix.events.list(shop, given(null), given(null))).toEqual({ items: [] })
    await expect(pix.events.replay(shop, given(null))).rejects.toMatchObject({ _tag: "NothingSelected" })
  })

  it("is refused by replay and attempts as it is by list", async () => {
    const error = (field: string) => ({ _tag: "InvalidFilter", field })
    await expect(pix.events.replay(shop, given({ eventId: {} }))).rejects.toMatchObject(error("eventId"))
    await expect(pix.events.replay(shop, given({ period: {} }))).rejects.toMatchObject(error("period"))
    await expect(pix.events.attempts(shop, given([]), "host")).rejects.toMatchObject(error("eventId"))
    await expect(pix.events.attempts(shop, "evt_1", given(1))).rejects.toMatchObject(error("endpointId"))
  })
})
