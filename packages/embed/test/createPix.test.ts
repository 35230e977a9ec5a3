import { callbackFetch } from "@pixcharge/callback-fetch"
import { ChargeStore, hostDirectory, PaymentProcessor } from "@pixcharge/core"
import type { PixEvent } from "@pixcharge/core/charges"
import { apiPix } from "@pixcharge/processor-api-pix"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { createPix, type ProductionOptions, type SandboxOptions } from "../src/index.ts"

const shop = "12345678000195"

const directory = () =>
  memoryDirectory({
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
  })

const options = (over: Partial<SandboxOptions> = {}): SandboxOptions => ({
  environment: "sandbox",
  store: memoryStore(),
  directory: directory(),
  processor: sandboxProcessor(),
  callbacks: callbackFetch(),
  tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
  ...over,
})

/** Waits until the condition is true. If it never is, the test reaches its time limit. */
const eventually = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}

describe("createPix", () => {
  it("issues, finds, pays and refunds a charge for a plain host without HTTP", async () => {
    await using pix = createPix(options())
    const id = randomUUID()
    const charge = await pix.issue(shop, { id, amountCents: 1_990 })
    expect(charge).toMatchObject({ _tag: "Pending", amountCents: 1_990 })
    expect(await pix.issue("12.345.678/0001-95", { id: id.toUpperCase(), amountCents: 1_990 })).toEqual(charge)
    expect(await pix.simulatePayment(shop, id)).toMatchObject({ _tag: "Paid" })
    expect(await pix.find(shop, id)).toMatchObject({ _tag: "Paid", payment: { amountCents: 1_990 } })
    expect(await pix.refund(shop, id)).toMatchObject({ _tag: "Refunded" })
  })

  it("rejects with the tagged errors themselves", async () => {
    await using pix = createPix(options())
    const id = randomUUID()
    await expect(pix.find(shop, id)).rejects.toMatchObject({ _tag: "ChargeNotFound", id })
    await expect(pix.find(shop, "x")).rejects.toMatchObject({ _tag: "InvalidChargeId" })
    await expect(pix.find("123", id)).rejects.toMatchObject({ _tag: "InvalidTaxId" })
    await expect(pix.issue(shop, { id, amountCents: 0.5 })).rejects.toMatchObject({
      _tag: "InvalidChargeRequest",
      field: "amount",
    })
    await pix.issue(shop, { id, amountCents: 5 })
    await expect(pix.refund(shop, id)).rejects.toMatchObject({ _tag: "ChargeNotPaid", issuer: shop })
  })

  it("reconciles a period on request, and counts a payment without a notice once", async () => {
    await using pix = createPix(options())
    const id = randomUUID()
    await pix.issue(shop, { id, amountCents: 1_995 })
    // These cents make the sandbox lose the notice of the payment (decision 17).
    expect(await pix.simulatePayment(shop, id)).toMatchObject({ _tag: "Pending" })
    const period = { from: Date.now() - 60_000, until: Date.now() + 60_000 }
    expect(await pix.reconcile(shop, period)).toEqual({ listed: 1, payments: 1, returns: 0 })
    expect(await pix.find(shop, id)).toMatchObject({ _tag: "Paid" })
    expect(await pix.reconcile("12.345.678/0001-95", period)).toEqual({ listed: 1, payments: 0, returns: 0 })
    await expect(pix.reconcile("123", period)).rejects.toMatchObject({ _tag: "InvalidTaxId" })
    await expect(pix.reconcile("00000000000191", period)).rejects.toMatchObject({ _tag: "CompanyNotFound" })
  })

  it("settles a charge with a payment that the host reports, and rejects a payment without a charge as unmatched", async () => {
    await using pix = createPix(options())
    const { issuer, txid, id } = await pix.issue(shop, { id: randomUUID(), amountCents: 700 })
    const notice = { issuer, txid, endToEndId: "E1".padEnd(32, "0"), amountCents: 700, paidAt: Date.now() }
    expect(await pix.confirmPayment(notice)).toMatchObject({ _tag: "Paid" })
    expect(await pix.confirmPayment(notice)).toEqual(await pix.find(shop, id))
    await expect(pix.confirmPayment({ ...notice, endToEndId: "E3" })).rejects.toMatchObject({
      _tag: "InvalidPaymentNotice",
      field: "endToEndId",
    })
    await expect(
      pix.confirmPayment({ ...notice, txid: "9".repeat(32), endToEndId: "E2".padEnd(32, "0") }),
    ).rejects.toMatchObject({ _tag: "PaymentUnmatched" })
  })

  it("lists every payment of a period, matched or not", async () => {
    await using pix = createPix(options())
    const from = Date.now()
    const { issuer, id } = await pix.issue(shop, { id: randomUUID(), amountCents: 593 })
    await pix.simulatePayment(shop, id)
    const stray = { issuer, endToEndId: "E9".padEnd(32, "0"), amountCents: 1, paidAt: Date.now() }
    await pix.confirmPayment(stray).catch(() => {})
    const listed = []
    for await (const payment of pix.payments(shop, { from, until: Date.now() + 1_000 })) listed.push(payment)
    expect(listed).toHaveLength(3)
    expect(listed.filter(({ chargeId }) => chargeId === id)).toHaveLength(2)
  })

  it("continues a list from page to page, and shows each item once", async () => {
    await using pix = createPix(options())
    const [from, count] = [Date.now(), 1_001]
    const endToEndIds = Array.from({ length: count }, (_, n) => `E${n}`.padEnd(32, "x"))
    for (const endToEndId of endToEndIds) {
      await pix.confirmPayment({ issuer: shop, endToEndId, amountCents: 1, paidAt: from }).catch(() => {})
    }
    const listed: Array<string> = []
    for await (const { endToEndId } of pix.payments(shop, { from, until: from + 1 })) listed.push(endToEndId)
    const open: Array<string> = []
    for await (const { payment } of pix.exceptions.list(shop)) open.push(payment.endToEndId)
    for (const seen of [listed, open]) expect(seen.toSorted()).toEqual(endToEndIds.toSorted())
  })

  it("lists payments that settled no charge, and returns them once or resolves them with a note", async () => {
    await using pix = createPix(options())
    const { issuer, id } = await pix.issue(shop, { id: randomUUID(), amountCents: 593 })
    await pix.simulatePayment(shop, id)
    const stray = { issuer, endToEndId: "E8".padEnd(32, "0"), amountCents: 42, paidAt: Date.now() }
    await pix.confirmPayment(stray).catch(() => {})
    const open = []
    for await (const exception of pix.exceptions.list(shop)) open.push(exception)
    expect(open.map(({ reason }) => reason).toSorted()).toEqual(["furtherPayment", "unmatched"])

    const second = open.find(({ reason }) => reason === "furtherPayment")?.payment.endToEndId ?? ""
    const refunds = await Promise.all([1, 2, 3].map(() => pix.exceptions.refund(shop, second)))
    for (const { state } of refunds) expect(["Refunding", "Refunded"]).toContain(state._tag)
    const refunded = await pix.exceptions.refund(shop, second)
    expect(refunded).toMatchObject({ state: { _tag: "Refunded" }, returns: [{ amountCents: 593, kind: "refund" }] })

    const resolved = await pix.exceptions.resolve(shop, stray.endToEndId, "a deposit of the owner")
    expect(resolved.state).toMatchObject({ _tag: "Resolved", note: "a deposit of the owner" })
    await expect(pix.exceptions.refund(shop, stray.endToEndId)).rejects.toMatchObject({ _tag: "ExceptionClosed" })
    await expect(pix.exceptions.resolve(shop, "none", "")).rejects.toMatchObject({ _tag: "ExceptionNotFound" })
    for await (const exception of pix.exceptions.list(shop)) expect.unreachable(exception.reason)
  })

  it("exports a payer's data, then erases it and keeps the charge's amount", async () => {
    await using pix = createPix(options())
    const payer = { name: "Maria da Silva", taxId: "123.456.789-09" }
    const request = { id: randomUUID(), amountCents: 5, payer }
    const charge = await pix.issue(shop, request)
    expect((await pix.payers.export(shop, payer.taxId)).charges).toEqual([charge])
    expect(await pix.payers.erase(shop, payer.taxId)).toBe(1)
    const forgotten = await pix.find(shop, charge.id)
    expect(forgotten.payer).toBeUndefined()
    expect(forgotten.amountCents).toBe(5)
    expect(await pix.issue(shop, request)).toMatchObject({ brCode: charge.brCode })
    expect((await pix.payers.export(shop, payer.taxId)).charges).toEqual([])
  })

  it("lists events with their attempts, and replays them on demand", async () => {
    const received: Array<string> = []
    await using pix = createPix(options({ onEvent: ({ id }) => void received.push(id) }))
    const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 1 })
    await pix.simulatePayment(shop, id)
    await eventually(() => received.length === 1)
    const byId: string = id
    const delivered = async () => (await pix.events.list(shop, { chargeId: byId, status: "delivered" })).items
    await eventually(async () => (await delivered()).length > 0)
    const [record] = await delivered()
    expect(record).toMatchObject({ endpointId: "host", attempts: 1 })
    expect(await pix.events.attempts(shop, record?.event.id ?? "", "host")).toHaveLength(1)
    expect(await pix.events.replay(shop, { chargeId: id })).toBe(1)
    await eventually(() => received.length === 2)
    expect(new Set(received).size).toBe(1)
    await expect(pix.events.replay(shop, {})).rejects.toMatchObject({ _tag: "NothingSelected" })
  })

  it("calls the host's function with every event, and again after it failed", async () => {
    const received: Array<PixEvent> = []
    let failures = 1
    await using pix = createPix(
      options({
        onEvent: (event) => {
          if (failures-- > 0) throw new Error("not now")
          received.push(event)
        },
      }),
    )
    const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 1 })
    await pix.simulatePayment(shop, id)
    await eventually(() => failures <= 0)
    await pix.clock.advance("10 seconds")
    await eventually(() => received.length > 0)
    expect(received).toMatchObject([{ kind: "paid", issuer: shop, payment: { chargeId: id, amountCents: 1 } }])
  })

  it("pauses and resumes the host's function like any endpoint", async () => {
    const received: Array<string> = []
    await using pix = createPix(options({ onEvent: ({ id }) => void received.push(id) }))
    await pix.events.pauseForAll("host")
    const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 1 })
    await pix.simulatePayment(shop, id)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(received).toEqual([])
    expect(await pix.events.backlog()).toMatchObject({ waiting: 1 })
    await pix.events.resumeForAll("host")
    await eventually(() => received.length > 0)
    expect(received).toHaveLength(1)
  })

  it("refuses an endpoint in the host's tables that has the name of the host's function", async () => {
    const company = { cnpj: shop, name: "Loja", city: "Recife", pixKey: "loja@example.com", graceDays: 5 }
    const registered = { ...company, integratorKey: "chave da loja" }
    const endpoint = {
      id: "host",
      url: "https://loja.example.com/",
      secrets: ["whsec_c2VncmVkbyBkYSBsb2phIGRhIGVzcXVpbmE="],
    }
    const tables = hostDirectory({
      companies: { find: async () => registered, byPixKey: async () => registered },
      endpoints: { forCompany: async () => [endpoint], find: async () => endpoint, setStatus: async () => {} },
    })
    await using pix = createPix(options({ directory: tables, onEvent: () => {} }))
    await expect(pix.events.ping(shop, "host")).rejects.toMatchObject({
      _tag: "DirectoryUnavailable",
      operation: "endpointsForCompany",
      cause: {
        _tag: "InvalidRegistration",
        cnpj: shop,
        field: "callback.id",
        problem: '"host" is the name of the host\'s own function',
      },
    })
  })

  it("registers companies while it runs, and applies their changes immediately", async () => {
    await using pix = createPix(options())
    const [reseller, member] = ["00000000000191", "11222333000181"]
    await pix.directory.putReseller({ cnpj: reseller, name: "Revenda", integratorKey: "chave da revenda" })
    await pix.directory.putCompany({
      cnpj: member,
      name: "Vizinho",
      city: "Recife",
      pixKey: "vizinho@example.com",
      graceDays: 1,
      reseller,
    })
    const issue = () => pix.issue(member, { id: randomUUID(), amountCents: 1 })
    await expect(issue()).resolves.toMatchObject({ _tag: "Pending" })
    await pix.directory.setWallet(reseller, false)
    await pix.directory.setAssociated(member, false)
    await expect(issue()).rejects.toMatchObject({ missing: ["association", "resellerWallet"] })
    expect(await pix.directory.rotateKey(reseller)).toMatch(/^pixk_/)
    await pix.directory.revokeKey(reseller)
    await pix.directory.removeCallback(reseller)
    await expect(pix.directory.revokeKey(member.replace("81", "82"))).rejects.toMatchObject({
      _tag: "InvalidRegistration",
      field: "cnpj",
    })
  })

  it("revokes a token by its id, and gives the integrator a new token", async () => {
    await using pix = createPix(options())
    const getToken = async () => {
      const body = JSON.stringify({ cnpj: shop, chave: "chave da loja" })
      const headers = { "content-type": "application/json" }
      const answer = await pix.fetch(new Request("http://localhost/api/token", { method: "POST", headers, body }))
      return ((await answer.json()) as { readonly data: string }).data
    }
    const statusUnder = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await pix.fetch(new Request(`http://localhost/api/pix/${randomUUID()}`, { headers }))).status
    }
    const token = await getToken()
    expect(await statusUnder(token)).toBe(404)
    await pix.tokens.revoke(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).jti)
    expect(await statusUnder(token)).toBe(401)
    expect(await statusUnder(await getToken())).toBe(404)
    await expect(pix.tokens.revoke("x")).rejects.toMatchObject({ _tag: "InvalidTokenId" })
  })

  it("rejects changes of a directory in the host's own tables", async () => {
    const nobody = async () => undefined
    const tables = hostDirectory({ companies: { find: nobody, byPixKey: nobody } })
    await using pix = createPix(options({ directory: tables }))
    await expect(pix.directory.revokeKey(shop)).rejects.toMatchObject({
      _tag: "DirectoryUnavailable",
      operation: "admin",
      cause: "the host changes its own directory",
    })
  })

  it("calls the host's function with refunded events, too", async () => {
    const received: Array<string> = []
    await using pix = createPix(options({ onEvent: ({ kind }) => void received.push(kind) }))
    const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 1 })
    await pix.simulatePayment(shop, id)
    await eventually(() => received.length === 1)
    await pix.refund(shop, id)
    await eventually(() => received.length === 2)
    expect(received).toEqual(["paid", "refunded"])
  })

  it("moves business time forward, and never back", async () => {
    await using pix = createPix(options())
    const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 1 })
    await pix.clock.advance("11 minutes")
    await expect(pix.simulatePayment(shop, id)).rejects.toMatchObject({ _tag: "ChargeExpired" })
    for (const by of [-1, "Infinity"] as const) {
      await expect(pix.clock.advance(by)).rejects.toMatchObject({ _tag: "InvalidOption" })
    }
  })

  it("runs two instances of the same options that share no charges", async () => {
    const shared = options()
    await using one = createPix(shared)
    await using two = createPix(shared)
    const { id } = await one.issue(shop, { id: randomUUID(), amountCents: 1 })
    await expect(two.find(shop, id)).rejects.toMatchObject({ _tag: "ChargeNotFound" })
  })

  it("uses the holidays of the option `holidays`", async () => {
    const closed = { isHoliday: () => true }
    const open = { isHoliday: () => false }
    await using pix = createPix(options({ holidays: ({ city }) => (city === "Recife" ? open : closed) }))
    const christmas = `${new Date().getUTCFullYear() + 1}-12-25`
    const charge = await pix.issue(shop, { id: randomUUID(), amountCents: 1, dueDate: christmas })
    const weekday = new Date(`${christmas}T12:00:00Z`).getUTCDay()
    const moved = weekday === 6 ? 2 : weekday === 0 ? 1 : 0
    expect(charge.payableUntil).toBe(Date.parse(`${christmas}T23:59:59.999-03:00`) + (moved + 5) * 86_400_000)
  })

  it("leaves no timer after dispose", async () => {
    const before = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length
    const pix = createPix(options())
    await pix.issue(shop, { id: randomUUID(), amountCents: 1 })
    await pix.dispose()
    expect(process.getActiveResourcesInfo().filter((name) => name === "Timeout").length).toBeLessThanOrEqual(before)
  })
})

describe("a failing start", () => {
  it.each<readonly [string, Partial<SandboxOptions>, RegExp]>([
    [
      "a database that is down",
      { store: Layer.effect(ChargeStore, Effect.fail(new Error("connect ECONNREFUSED"))) as never },
      /ECONNREFUSED/,
    ],
    [
      "an error that has no message",
      { store: Layer.effect(ChargeStore, Effect.fail(new TypeError(""))) as never },
      /: TypeError$/,
    ],
    [
      "a value that isn't an error",
      { store: Layer.effect(ChargeStore, Effect.fail("no database")) as never },
      /: no database$/,
    ],
  ])("reports %s in one sentence", async (_, over, message) => {
    const failure = await createPix(options(over))
      .ready()
      .then(
        () => undefined,
        (error: unknown) => error,
      )
    expect(failure).toMatchObject({ _tag: "BootFailure" })
    expect(String((failure as Error).message)).toMatch(message)
    expect(String((failure as Error).message)).not.toContain("\n")
  })

  it.each<readonly [string, Partial<SandboxOptions>]>([
    ["fails", { callbacks: Layer.effectDiscard(Effect.fail("no callbacks")) as never }],
    ["breaks", { callbacks: Layer.effectDiscard(Effect.die("a defect")) as never }],
    ["breaks in production", { environment: "production" as never, store: memoryStore({ inProduction: true }) }],
  ])("closes the opened adapters if it %s", async (_, over) => {
    const log: Array<string> = []
    const opened = Effect.acquireRelease(
      Effect.sync(() => log.push("opened")),
      () => Effect.sync(() => log.push("closed")),
    )
    const processor = Object.assign(Layer.merge(sandboxProcessor(), Layer.effectDiscard(opened)), {
      environment: "sandbox" as const,
    })
    await createPix(options({ processor, ...over }))
      .ready()
      .catch(() => log.push("failed"))
    expect(log).toEqual(["opened", "closed", "failed"])
  })

  it.each(["environment", "store", "companies", "processor"])("names a missing %s", async (name) => {
    const incomplete = {
      ...options(),
      directory: name === "companies" ? undefined : options().directory,
      [name]: undefined,
    } as never
    expect(() => createPix(incomplete)).toThrow(
      expect.objectContaining({
        _tag: "BootFailure",
        message: expect.stringContaining(`"${name}"`),
      }),
    )
  })

  it("refuses a misspelt environment", async () => {
    const misspelt = { ...options(), environment: "Sandbox" } as never
    expect(() => createPix(misspelt)).toThrow("environment")
  })

  it.each([Number.NaN, 0.5, 9e15, "2027-03-01"])("refuses to freeze a clock at %s", (frozenAt) => {
    expect(() => createPix({ ...options(), frozenAt } as never)).toThrow(
      'the option "frozenAt" must be a moment in whole epoch milliseconds',
    )
  })

  it("refuses the sandbox's processor in production, by type and at run time", async () => {
    // @ts-expect-error -- the sandbox moves no money
    const wrong: ProductionOptions = {
      ...options(),
      environment: "production",
      store: memoryStore({ inProduction: true }),
    }
    await expect(createPix(wrong).ready()).rejects.toMatchObject({
      _tag: "BootFailure",
      message: expect.stringContaining("sandbox"),
    })
  })

  describe("production", () => {
    const processor = Layer.succeed(PaymentProcessor, {} as never)
    const production = (over: Partial<ProductionOptions>) => () =>
      createPix({ ...options(), environment: "production", processor, ...over } as ProductionOptions)

    it("refuses a store that ends with the process, unless the host confirms it", async () => {
      expect(production({})).toThrow(
        expect.objectContaining({
          _tag: "BootFailure",
          message:
            'pixcharge could not start: the option "store" must keep its records in production: use postgresStore({ db }), ' +
            "or memoryStore({ inProduction: true }) if losing them with the process is acceptable.",
        }),
      )
      expect(production({ store: memoryStore({ inProduction: false }) })).toThrow('"store"')
      await production({ store: memoryStore({ inProduction: true }) })().dispose()
      await createPix(options()).dispose()
    })

    it("requires the option `notices` if the processor has notices", async () => {
      const store = memoryStore({ inProduction: true })
      const bank = apiPix({ companies: {}, noticeSecrets: ["a secret of the webhook's addresses"] })
      expect(production({ store, processor: bank.processor })).toThrow(
        expect.objectContaining({
          _tag: "BootFailure",
          message:
            'pixcharge could not start: the option "notices" must be apiPix(...).notices if apiPix has noticeSecrets: ' +
            "without it no bank can call.",
        }),
      )
      await production({ store, processor: bank.processor, notices: bank.notices })().dispose()
      await production({ store, processor: apiPix({ companies: {} }).processor })().dispose()
    })
  })

  it("has no simulation, by type", () => {
    // @ts-expect-error -- production can't simulate
    const simulate = (pix: ReturnType<typeof createProduction>) => pix.simulatePayment
    const createProduction = (production: ProductionOptions) => createPix(production)
    expect(simulate).toBeTypeOf("function")
  })
})
