import { PaymentProcessor, type ProcessorUnavailable } from "@pixcharge/core"
import { apiPix, type ApiPixConnection, standardProfile } from "@pixcharge/processor-api-pix"
import { anOrder } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import type { SimulatedBank } from "@pixcharge/simulated-bank"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Exit from "effect/Exit"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { inspect } from "node:util"
import { describe, expect, test, vi } from "vitest"
import { makeAuthority } from "@pixcharge/verify/world"
import {
  account,
  certificates,
  company,
  connectionTo,
  openBank,
  openPsp,
  otherCompany,
  strangerCnpj,
} from "./bank/openBank.ts"

const tokenCalls = (psp: SimulatedBank) => psp.exchanges.filter(({ path }) => path === "/oauth/token").length

const isGet = ({ method }: { readonly method: string }) => method === "GET"

const processorWith = (connection: ApiPixConnection) =>
  Effect.map(Layer.build(apiPix({ companies: { [company.cnpj]: connection } }).processor), (context) =>
    Context.get(context, PaymentProcessor),
  )

const connect = (psp: SimulatedBank, overrides: Partial<ApiPixConnection> = {}) =>
  Effect.flatMap(
    Effect.promise(() => connectionTo(psp, company, overrides)),
    processorWith,
  )

const listPayments = (processor: PaymentProcessor["Service"]) =>
  processor.payments(company.cnpj, { from: Date.now() - 60_000, until: Date.now() })

const failedLookup = (processor: PaymentProcessor["Service"]): Effect.Effect<ProcessorUnavailable, unknown> =>
  Effect.flip(listPayments(processor))

describe("the token of a bank", () => {
  it.live("is requested once for concurrent calls", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      yield* Effect.forEach(Array.from({ length: 10 }), () => listPayments(processor), { concurrency: "unbounded" })
      yield* listPayments(processor)
      expect(tokenCalls(psp)).toBe(1)
    }),
  )

  it.live("is renewed within the same call after an early revocation", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      yield* listPayments(processor)
      psp.revokeTokens()
      yield* listPayments(processor)
      expect(tokenCalls(psp)).toBe(2)
    }),
  )

  it.live("is never shared between companies", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      yield* processor.register(yield* anOrder(company))
      yield* processor.register(yield* anOrder(otherCompany))
      expect([...psp.ledger.charges.keys()].map((key) => key.slice(0, 14))).toEqual([company.cnpj, otherCompany.cnpj])
      expect(tokenCalls(psp)).toBe(2)
    }),
  )

  for (const clientAuthentication of ["basic", "body"] as const) {
    for (const tokenBody of ["form", "json"] as const) {
      it.live(`is requested with ${clientAuthentication} authentication and a ${tokenBody} body`, () =>
        Effect.gen(function* () {
          const { processor } = yield* openBank(
            {},
            { profile: { ...standardProfile, clientAuthentication, tokenBody } },
          )
          expect((yield* listPayments(processor)).items).toEqual([])
        }),
      )
    }
  }

  it.live("isn't given for a wrong secret, and no error contains the secret", () =>
    Effect.gen(function* () {
      const psp = yield* openPsp()
      const processor = yield* connect(psp, { clientSecret: Redacted.make("a wrong secret") })
      const failure = yield* failedLookup(processor)
      expect(failure).toMatchObject({ _tag: "ProcessorUnavailable", operation: "payments" })
      const everything = [inspect(failure, { depth: 20 }), JSON.stringify(failure), Cause.pretty(Cause.fail(failure))]
      expect(everything.join()).not.toContain("wrong secret")
      expect(everything.join()).toContain("401")
    }),
  )
})

describe("mutual TLS", () => {
  it.live("prevents a token for a client with another client's certificate", () =>
    Effect.gen(function* () {
      const psp = yield* openPsp()
      const { clients } = yield* Effect.promise(certificates)
      const processor = yield* connect(psp, clients[otherCompany.cnpj] as Partial<ApiPixConnection>)
      expect((yield* failedLookup(processor))._tag).toBe("ProcessorUnavailable")
    }),
  )

  it.live("prevents calls to a bank whose certificate has no trusted authority", () =>
    Effect.gen(function* () {
      const psp = yield* openPsp()
      const { ca } = yield* Effect.promise(() => makeAuthority())
      const processor = yield* connect(psp, { ca } as Partial<ApiPixConnection>)
      expect((yield* failedLookup(processor))._tag).toBe("ProcessorUnavailable")
      expect(psp.exchanges).toEqual([])
    }),
  )

  it.live("needs no certificate and key if the host's own fetch has them", () =>
    Effect.gen(function* () {
      const psp = yield* Effect.acquireRelease(
        Effect.promise(async () =>
          (await import("@pixcharge/simulated-bank")).startSimulatedBank({ accounts: [account] }),
        ),
        (open) => Effect.promise(open.close),
      )
      const calls: Array<string> = []
      const { clientId, clientSecret } = account
      const processor = yield* processorWith({
        baseUrl: psp.baseUrl,
        clientId,
        clientSecret,
        headers: { "x-conta": "12345" },
        query: { "app-key": "k&y" },
        fetch: (url, init) => {
          calls.push(`${url} ${new Headers(init.headers).get("x-conta")} ${init.redirect}`)
          return fetch(url, init)
        },
      })
      yield* processor.register(yield* anOrder(company))
      expect(psp.ledger.charges.size).toBe(1)
      expect(calls).toHaveLength(3)
      expect(calls.every((line) => line.includes("app-key=k%26y") && line.endsWith(" 12345 manual"))).toBe(true)
    }),
  )
})

describe("a failing bank", () => {
  it.live("counts as unavailable after the timeout if it doesn't answer", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank({}, { timeoutMs: 100 })
      psp.faults.add({ _tag: "Hangs" })
      expect(yield* failedLookup(processor)).toMatchObject({
        _tag: "ProcessorUnavailable",
        cause: expect.stringMatching(/^no answer within (?:100 ms|the deadline)$/),
      })
    }),
  )

  it.live("is called a third time after two failures", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      psp.faults.add({ _tag: "Status", status: 500 }, isGet, 1)
      psp.faults.add({ _tag: "RequestLost" }, isGet, 1)
      expect((yield* listPayments(processor)).items).toEqual([])
    }),
  )

  it.live("counts as unavailable if it returns a web page", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      const end = psp.faults.add({ _tag: "Garbage" })
      expect((yield* failedLookup(processor))._tag).toBe("ProcessorUnavailable")
      end()
      yield* listPayments(processor)
    }),
  )

  it.live("gets no call during a pause that it requested, and errors report the pause", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      yield* listPayments(processor)
      const before = psp.exchanges.length
      psp.faults.add({ _tag: "Status", status: 429, retryAfter: "30" }, isGet, 1)
      const failures = [yield* failedLookup(processor), yield* failedLookup(processor)]
      for (const { retryAfterMs = 0 } of failures) {
        expect(retryAfterMs).toBeGreaterThan(25_000)
        expect(retryAfterMs).toBeLessThanOrEqual(30_000)
      }
      expect(psp.exchanges.length).toBe(before)
    }),
  )

  it.live("gets the short pause that it requested, and then the call succeeds", () =>
    Effect.gen(function* () {
      const { psp, processor } = yield* openBank()
      psp.faults.add({ _tag: "Status", status: 429, retryAfter: "1" }, isGet, 1)
      const startedAt = Date.now()
      yield* listPayments(processor)
      expect(Date.now() - startedAt).toBeGreaterThanOrEqual(990)
    }),
  )

  it.live("gets no more calls after repeated failures, but other banks do", () =>
    Effect.gen(function* () {
      const [failingBank, healthyBank] = [yield* openPsp(), yield* openPsp()]
      const companies = yield* Effect.promise(async () => ({
        [company.cnpj]: await connectionTo(failingBank, company),
        [otherCompany.cnpj]: await connectionTo(healthyBank, otherCompany),
      }))
      const processor = Context.get(yield* Layer.build(apiPix({ companies }).processor), PaymentProcessor)
      let calls = 0
      failingBank.faults.add({ _tag: "Status", status: 503 }, (call) => {
        calls += call.path === "/oauth/token" ? 0 : 1
        return call.path !== "/oauth/token"
      })
      for (let n = 0; n < 6; n++) yield* failedLookup(processor)
      expect(calls).toBe(8)
      const { retryAfterMs } = yield* failedLookup(processor)
      expect(retryAfterMs).toBeGreaterThan(0)
      yield* processor.register(yield* anOrder(otherCompany))
    }),
  )
})

describe("the options of apiPix", () => {
  const companies = "an object of connections by CNPJ, or a function that returns one"
  test.each([
    [{}, `"companies" is missing: it must be ${companies}`],
    [{ companies: [] }, `"companies" must be ${companies}`],
    [{ companies: {}, noticesPath: 7 }, '"noticesPath" must be a path like /webhooks/api-pix'],
    [{ companies: {}, noticeSecrets: [7] }, '"noticeSecrets" must be a list of one or two texts'],
    [{ companies: {}, noticeCaller: true }, '"noticeCaller" must be a function'],
  ])("rejects %j and names the right form", (options, message) => {
    expect(() => apiPix(options as never)).toThrow(`apiPix: the option ${message}.`)
  })

  test("defaults to notices at /webhooks/api-pix", () => {
    const { notices, processor } = apiPix({ companies: {} })
    expect([notices.path, "wantsNotices" in processor]).toEqual(["/webhooks/api-pix", false])
  })
})

describe("connections of companies", () => {
  it.live("reject a charge of a company without a connection, but accept one of a company with a connection", () =>
    Effect.gen(function* () {
      const { processor } = yield* openBank()
      const exit = yield* Effect.exit(processor.register(yield* anOrder({ ...company, cnpj: strangerCnpj })))
      expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({
        _tag: "ApiPixMisconfigured",
        company: strangerCnpj,
        message: `apiPix has no connection of ${strangerCnpj}: add it to companies.`,
      })
      yield* processor.register(yield* anOrder(company))
    }),
  )

  it.live("call the host's function once for each company while its answer is fresh", () =>
    Effect.gen(function* () {
      const psp = yield* openPsp()
      const connection = yield* Effect.promise(() => connectionTo(psp, company))
      const calls: Array<string> = []
      const { processor: layer } = apiPix({
        companies: async (issuer) => {
          calls.push(issuer)
          return issuer === company.cnpj ? connection : undefined
        },
      })
      const processor = Context.get(yield* Layer.build(layer), PaymentProcessor)
      yield* listPayments(processor)
      yield* listPayments(processor)
      yield* Effect.flip(processor.payments(strangerCnpj, { from: 0, until: 1 }))
      expect(calls).toEqual([company.cnpj, strangerCnpj])
    }),
  )

  it.live("are unavailable if the host's function fails", () =>
    Effect.gen(function* () {
      const { processor: layer } = apiPix({ companies: () => Promise.reject(new Error("the vault is sealed")) })
      const processor = Context.get(yield* Layer.build(layer), PaymentProcessor)
      expect((yield* failedLookup(processor))._tag).toBe("ProcessorUnavailable")
    }),
  )

  const answering = (name: string, seen: Array<string>): ApiPixConnection => ({
    baseUrl: "https://bank.invalid",
    clientId: name,
    clientSecret: "secret",
    fetch: (url) => {
      seen.push(`${name} ${new URL(url).pathname}`)
      return Promise.resolve(new Response('{"access_token":"t","expires_in":36000,"pix":[]}'))
    },
  })

  it.effect("are read again after a minute, and a new object replaces the old connection", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const [first, second] = [answering("first", seen), answering("second", seen)]
      let given: (() => ApiPixConnection | undefined) | undefined = () => first
      const { processor: layer } = apiPix({ companies: () => given?.() })
      const { payments } = Context.get(yield* Layer.build(layer), PaymentProcessor)
      const call = Effect.andThen(
        TestClock.adjust(60_000),
        Effect.suspend(() => payments(company.cnpj, { from: 0, until: 1 })),
      )
      yield* call
      yield* call
      // With the same object, the connection keeps its token.
      expect(seen).toEqual(["first /oauth/token", "first /api/v2/pix", "first /api/v2/pix"])
      given = () => second
      yield* call
      expect(seen.slice(3)).toEqual(["second /oauth/token", "second /api/v2/pix"])
      const logged = vi.spyOn(console, "log").mockReturnValue()
      given = () => {
        throw new Error("the vault is sealed")
      }
      yield* call
      given = () => ({ ...second, baseUrl: "nowhere" })
      yield* call
      const lines = logged.mock.calls.map((line) => line.join(" "))
      logged.mockRestore()
      expect(lines).toHaveLength(2)
      for (const line of lines) expect(line).toContain(`The API Pix connection of ${company.cnpj} stays as it was`)
      expect(seen.slice(5)).toEqual(["second /api/v2/pix", "second /api/v2/pix"])
      given = () => undefined
      expect((yield* Effect.flip(call))._tag).toBe("ProcessorUnavailable")
    }),
  )

  it.live("accept a CNPJ with punctuation, and reject a key that is no CNPJ", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const { processor: layer } = apiPix({ companies: { "12.345.678/0001-95": answering("punctuated", seen) } })
      yield* listPayments(Context.get(yield* Layer.build(layer), PaymentProcessor))
      expect(seen).toHaveLength(2)
      const wrong = apiPix({ companies: { "12345678000194": answering("wrong", seen) } })
      expect(yield* Effect.flip(Layer.build(wrong.processor))).toMatchObject({
        _tag: "ApiPixMisconfigured",
        message: expect.stringMatching(/^companies must have CNPJs as its keys\. .*check digits/),
      })
    }),
  )

  const good = { baseUrl: "https://bank.invalid", clientId: "id", clientSecret: "secret", fetch }
  const { fetch: _, ...withoutFetch } = good

  for (const [why, connection] of [
    ["a base URL that is no URL", { ...good, baseUrl: "bank" }],
    ["plain HTTP", { ...withoutFetch, baseUrl: "http://bank.invalid", cert: "x", key: "x" }],
    ["plain HTTP for tokens", { ...withoutFetch, tokenUrl: "http://bank.invalid", cert: "x", key: "x" }],
    ["an empty client id", { ...good, clientId: "" }],
    ["a misspelt option", { ...good, clientid: "id" }],
    ["a certificate without its key", { ...withoutFetch, cert: "x" }],
    ["a certificate that can't be read", { ...withoutFetch, cert: "x", key: "the key itself" }],
  ] as const) {
    it.live(`reject ${why} at boot with an error that names the company and no secret`, () =>
      Effect.gen(function* () {
        const { processor } = apiPix({ companies: { [company.cnpj]: connection as ApiPixConnection } })
        const failure = yield* Effect.flip(Layer.build(processor))
        expect(failure).toMatchObject({ _tag: "ApiPixMisconfigured", company: company.cnpj })
        expect(failure.message).toContain(company.cnpj)
        expect(`${failure.message} ${String(failure.cause)}`).not.toContain("the key itself")
      }),
    )
  }
})
