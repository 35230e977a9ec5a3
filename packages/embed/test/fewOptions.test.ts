import { callbackFetch } from "@pixcharge/callback-fetch"
import { checkout } from "@pixcharge/checkout"
import { portal } from "@pixcharge/portal"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { testReceiver } from "@pixcharge/testing"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { createPix, type PlainEvent, type SandboxOptions } from "../src/index.ts"

const shop = { cnpj: "12345678000195", name: "Minha Loja", city: "Recife", pixKey: "loja@example.com" }
const neighbour = { ...shop, cnpj: "11222333000181", pixKey: "vizinho@example.com" }
const secrets = ["whsec_c2VncmVkbyBkYSBsb2phIGRhIGVzcXVpbmE="]
const callback = { url: "https://loja.example/pix", secrets }
const tokens = { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] } as const
const frozenAt = Date.UTC(2027, 2, 1, 15)

const open = (more: Partial<SandboxOptions & { readonly logger: Console }> = {}) =>
  createPix({
    environment: "sandbox",
    store: memoryStore(),
    companies: [shop],
    processor: sandboxProcessor(),
    background: false,
    frozenAt,
    ...more,
  })

it("needs only a store, a company and a processor for a shop that handles events in onEvent", async () => {
  const events: Array<PlainEvent> = []
  await using pix = open({ onEvent: (event) => void events.push(event) })
  const { id, status } = await pix.issue(shop.cnpj, { id: randomUUID(), amountCents: 1_990 })
  await pix.simulatePayment(shop.cnpj, id)
  await pix.tick({ deadlineMs: 5_000 })
  await pix.refund(shop.cnpj, id)
  await pix.tick({ deadlineMs: 5_000 })
  expect(status).toBe("pending")
  expect(events.map(({ kind, occurredAtIso }) => [kind, occurredAtIso])).toEqual([
    ["paid", "2027-03-01T15:00:00.000Z"],
    ["refunded", "2027-03-01T15:00:00.000Z"],
  ])
})

// In API Pix, `validadeAposVencimento` is 30 by default. 8 March 2027 is a Monday, 7 April a Wednesday.
it("keeps a due-date charge payable for thirty days after its due date, without graceDays", async () => {
  await using pix = open()
  const charge = await pix.issue(shop.cnpj, { id: randomUUID(), amountCents: 100, dueDate: "2027-03-08" })
  expect(charge.payableUntilIso).toBe("2027-04-08T02:59:59.999Z")
})

it("finds a charge only by its company's CNPJ, with or without punctuation", async () => {
  await using pix = open({ companies: [shop, neighbour] })
  const { id } = await pix.issue("12.345.678/0001-95", { id: randomUUID(), amountCents: 100 })
  expect((await pix.find(shop.cnpj, id)).issuer).toBe(shop.cnpj)
  await expect(pix.find(neighbour.cnpj, id)).rejects.toMatchObject({ _tag: "ChargeNotFound" })
  await expect(pix.issue("00000000000191", { id, amountCents: 100 })).rejects.toMatchObject({ _tag: "CompanyNotFound" })
})

it("authenticates no integrator without tokens, and logs the reason", async () => {
  const warnings: Array<unknown> = []
  const logger = { ...console, warn: (...logged: ReadonlyArray<unknown>) => void warnings.push(...logged) }
  await using pix = open({ companies: [{ ...shop, integratorKey: "chave-da-loja" }], logger })
  const body = JSON.stringify({ cnpj: shop.cnpj, chave: "chave-da-loja" })
  const headers = { "content-type": "application/json" }
  const answer = await pix.fetch(new Request("http://localhost/api/token", { method: "POST", headers, body }))
  const status = await pix.fetch(new Request(`http://localhost/api/pix/${randomUUID()}`))
  expect([answer.status, status.status]).toEqual([401, 401])
  expect(JSON.stringify(warnings)).toContain("createPix has no option tokens")
})

it("authenticates an integrator of a listed company by its key", async () => {
  await using pix = open({ companies: [{ ...shop, integratorKey: "chave-da-loja" }], tokens })
  const ask = async (chave: string) => {
    const body = JSON.stringify({ cnpj: shop.cnpj, chave })
    const headers = { "content-type": "application/json" }
    return (await pix.fetch(new Request("http://localhost/api/token", { method: "POST", headers, body }))).status
  }
  expect([await ask("chave-da-loja"), await ask("chave-de-outra")]).toEqual([200, 401])
})

it("keeps events for URLs while the option `callbacks` is missing, and names it", async () => {
  const directory = memoryDirectory({ companies: [{ ...shop, callback }] })
  await using pix = open({ companies: undefined as never, directory })
  const { id } = await pix.issue(shop.cnpj, { id: randomUUID(), amountCents: 100 })
  await pix.simulatePayment(shop.cnpj, id)
  await pix.tick({ deadlineMs: 5_000 })
  const { items } = await pix.events.list(shop.cnpj)
  expect(items.map(({ status }) => status)).toEqual(["waiting"])
  const [event] = items
  const attempts = await pix.events.attempts(shop.cnpj, event?.event.id ?? "", event?.endpointId ?? "")
  expect(JSON.stringify(attempts)).toContain("createPix has no option callbacks: give callbackFetch()")
})

it("sends a listed company's events to its callback, which can be paused", async () => {
  await using receiver = await testReceiver()
  const callbacks = callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" })
  await using pix = open({ companies: [{ ...shop, callback: receiver.callback }], callbacks })
  const pay = async () => {
    const { id } = await pix.issue(shop.cnpj, { id: randomUUID(), amountCents: 100 })
    await pix.simulatePayment(shop.cnpj, id)
    await pix.tick({ deadlineMs: 5_000 })
  }
  await pay()
  const [endpoint] = await pix.events.endpoints(shop.cnpj)
  await pix.events.pause(shop.cnpj, endpoint?.id ?? "")
  await pay()
  expect(receiver.received).toHaveLength(1)
  await pix.events.resume(shop.cnpj, endpoint?.id ?? "")
  await pix.clock.advance("2 minutes")
  await pix.tick({ deadlineMs: 5_000 })
  expect(receiver.received).toHaveLength(2)
})

it("accepts an instance of a class as a listed company, with getters as fields", async () => {
  class Row {
    readonly cnpj = shop.cnpj
    readonly name = shop.name
    readonly city = shop.city
    get pixKey() {
      return shop.pixKey
    }
  }
  await using pix = open({ companies: [new Row()] })
  const { status } = await pix.issue(shop.cnpj, { id: randomUUID(), amountCents: 100 })
  expect(status).toBe("pending")
  await expect(pix.directory.revokeKey(shop.cnpj)).rejects.toThrow("or its list `companies`")
})

it.each<readonly [string, Partial<SandboxOptions>, string]>([
  [
    "a company of a reseller",
    { companies: [{ ...shop, reseller: "11222333000181" } as never] },
    "reseller needs a directory",
  ],
  [
    "a company with `associated`",
    { companies: [{ ...shop, associated: false } as never] },
    "associated needs a directory",
  ],
  ["a company without its pixKey", { companies: [{ ...shop, pixKey: undefined as never }] }, "pixKey is missing"],
  ["neither companies nor a directory", { companies: undefined as never }, 'the option "companies" is missing'],
  [
    "companies and a directory",
    { directory: memoryDirectory({ companies: [shop] }) },
    '"companies" and "directory" exclude each other',
  ],
  [
    "a company without its city",
    { companies: [{ ...shop, city: undefined as never }] },
    "city is missing: it must have 1 to 200",
  ],
  ["a company's CNPJ twice", { companies: [shop, { ...shop, pixKey: "b@example.com" }] }, "cnpj is registered twice"],
  [
    "a key of two companies",
    { companies: [shop, { ...neighbour, pixKey: shop.pixKey }] },
    "pixKey is registered twice",
  ],
  ["a callback without callbacks", { companies: [{ ...shop, callback }] }, 'the option "callbacks" is missing'],
  [
    "a checkout without tokens",
    { checkout: checkout({ url: "https://loja.example/payments" }) },
    '"tokens" is missing',
  ],
  ["the contract's document without tokens", { openapi: true }, '"tokens" is missing'],
])("createPix refuses %s", (_, more, message) => {
  expect(() => open(more)).toThrow(message)
})

it("signs no forms and links without tokens, and the portal refuses to start", async () => {
  await using pix = open()
  expect(() => pix.tokens.signatures("forms")).toThrow("needs the option tokens")
  expect(() => portal(pix, { authorize: () => undefined })).toThrow("needs the option tokens")
})
