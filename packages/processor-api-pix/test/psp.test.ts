import {
  apiPix,
  type ApiPixConnection,
  type PspProfile,
  pspProfiles,
  standardProfile,
} from "@pixcharge/processor-api-pix"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect, it as test } from "vitest"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { openConnection } from "../src/connection/openConnection.ts"
import { fetchToken } from "../src/client/AccessToken.ts"
import { callRequest, pspValues, withQuery } from "../src/client/PspCall.ts"
import { findProfile, unsupportedBanks } from "../src/profiles/pspProfiles.ts"
import { company } from "./bank/openBank.ts"

const credentials = { clientId: "id", clientSecret: "secret", fetch }

const elsewhere: PspProfile = {
  ...standardProfile,
  production: { baseUrl: "https://api.bank.example", tokenUrl: "https://login.bank.example/token?realm=pix" },
  query: { "app-key": { from: "applicationKey" } },
}

const opened = (given: object) =>
  openConnection(company.cnpj, { ...credentials, ...given } as unknown as ApiPixConnection)

describe("a connection", () => {
  test("finds the address by the bank's name", () => {
    const { baseUrl, tokenUrls, profile } = opened({ psp: "efi" })
    expect([baseUrl, ...tokenUrls.list(), profile.apiPath]).toEqual([
      "https://pix.api.efipay.com.br",
      "https://pix.api.efipay.com.br/oauth/token",
      "/v2",
    ])
    expect(opened({ psp: "efi", stage: "sandbox" }).baseUrl).toBe("https://pix-h.api.efipay.com.br")
  })

  test("can name other servers than the bank's profile", () => {
    const { baseUrl, tokenUrls } = opened({
      psp: "efi",
      baseUrl: "https://new.example/",
      tokenUrl: "https://t.example/t",
    })
    expect([baseUrl, ...tokenUrls.list()]).toEqual(["https://new.example", "https://t.example/t"])
    expect(opened({ psp: "efi", baseUrl: "https://new.example" }).tokenUrls.list()).toEqual([
      "https://new.example/oauth/token",
    ])
  })

  test("accepts a profile with only the fields that differ from the standard", () => {
    const { profile, baseUrl } = opened({ profile: { apiPath: "/p" }, baseUrl: "https://b.example" })
    expect([profile.apiPath, profile.tokenPath, baseUrl]).toEqual(["/p", "/oauth/token", "https://b.example"])
  })

  test("sends some calls to another host, unless the connection names the bank's server", () => {
    const apart = {
      ...elsewhere,
      apiPaths: { "PUT cycle": "https://rec.bank.example/v1", "GET cycle": "/v3" },
    } as const
    const urls = (given: object) => {
      const connection = opened({ profile: apart, applicationKey: "k", ...given })
      return (["PUT", "GET", "PATCH"] as const).map((method) => {
        const path = { resource: "cycle", text: "/cobr/1" } as const
        const call = { operation: "test", method, path, read: (json: unknown) => Result.succeed(json) }
        const { url, headers } = callRequest(connection, call, { token: Redacted.make("t0k3n") })
        return [url, headers["authorization"]]
      })
    }
    expect(urls({})).toEqual([
      ["https://rec.bank.example/v1/cobr/1?app-key=k", "Bearer t0k3n"],
      ["https://api.bank.example/v3/cobr/1?app-key=k", "Bearer t0k3n"],
      ["https://api.bank.example/api/v2/cobr/1?app-key=k", "Bearer t0k3n"],
    ])
    // No call, and so no token, goes to the hosts that the connection replaces.
    const own = { baseUrl: "https://proxy.example/", tokenUrl: "https://proxy.example/token" }
    expect(urls(own).map(([url]) => url)).toEqual([
      "https://proxy.example/v1/cobr/1?app-key=k",
      "https://proxy.example/v3/cobr/1?app-key=k",
      "https://proxy.example/api/v2/cobr/1?app-key=k",
    ])
  })

  for (const [what, given, why] of [
    ["an unknown bank", { psp: "bancoXyz" }, /psp names an unknown bank: psp can be standard, .*efi/],
    ["a name inherited by every object", { psp: "toString" }, /psp names an unknown bank/],
    ["a psp that is no string", { psp: 7 }, /"psp" must be the name of a bank/],
    [
      "a name in place of a profile",
      { profile: "efi" },
      /"profile" must be a profile of your own; name a known bank by psp/,
    ],
    ["a timeout that is no number", { psp: "efi", timeoutMs: "8000" }, /"timeoutMs" must be a number from 1 on/],
    ["a timeout of zero", { psp: "efi", timeoutMs: 0 }, /"timeoutMs" must be a number from 1 on/],
    ["a former name of a bank", { psp: "gerencianet" }, /psp must name the bank as "efi"/],
    ["both psp and profile", { psp: "efi", profile: standardProfile }, /psp and profile: name one of them/],
    ["neither bank nor address", {}, /baseUrl is missing: name it, or the bank \(psp\)/],
    ["the standard without an address", { psp: "standard" }, /baseUrl is missing/],
    ["a stage without a known address", { profile: elsewhere, stage: "sandbox" }, /no address of the bank's sandbox/],
    ["an unknown stage", { psp: "efi", stage: "test" }, /"stage" must be "production" or "sandbox"/],
    [
      "only the API's address if tokens come from another server",
      { profile: elsewhere, applicationKey: "k", baseUrl: "https://new.example" },
      /name tokenUrl, too/,
    ],
    ["a missing application key", { profile: elsewhere }, /applicationKey is missing or empty/],
    ["an empty secret", { psp: "efi", clientSecret: "" }, /clientSecret is missing or empty/],
    ["an unused account", { psp: "efi", account: "12345" }, /it has account, which this bank doesn't use/],
    [
      "an unused application key",
      { psp: "efi", applicationKey: "k" },
      /it has applicationKey, which this bank doesn't use/,
    ],
    ["an unused token", { psp: "efi", token: "t" }, /it has token, which this bank doesn't use: leave it out/],
    [
      "a missing fixed token",
      { profile: { clientAuthentication: "fixedToken" }, baseUrl: "https://b.example" },
      /token is missing or empty/,
    ],
    [
      "a choice that the bank doesn't offer",
      { psp: "standard", baseUrl: "https://b.example", skipWebhookMtls: true },
      /it has skipWebhookMtls, and this bank has no such choice/,
    ],
    ["a missing certificate", { psp: "efi", fetch: undefined }, /it needs cert and key/],
    ["a secret that is no string", { psp: "efi", clientSecret: 5 }, /"clientSecret" must be a string, or Redacted/],
    ["a token that is no string", { psp: "efi", token: {} }, /"token" must be a string, or Redacted/],
    [
      "a profile whose server isn't https",
      { profile: { production: { baseUrl: "http://b.example" } }, fetch: undefined },
      /baseUrl must be https/,
    ],
    [
      "a profile with a call that isn't https",
      {
        profile: { ...elsewhere, apiPaths: { "PUT cycle": "http://rec.bank.example" } },
        applicationKey: "k",
        fetch: undefined,
      },
      /the address of PUT cycle must be https/,
    ],
    [
      "a profile whose server is no URL",
      { profile: { production: { baseUrl: "b.example" } } },
      /baseUrl must be a URL/,
    ],
    [
      "a profile whose tokens come from no URL",
      { profile: { production: { baseUrl: "https://b.example", tokenUrl: "login" } } },
      /tokenUrl must be a URL/,
    ],
  ] as const) {
    it.live(`rejects ${what}`, () =>
      Effect.gen(function* () {
        const connection = { ...credentials, ...given } as unknown as ApiPixConnection
        const { processor } = apiPix({ companies: { [company.cnpj]: connection } })
        const failure = yield* Effect.flip(Layer.build(processor))
        expect(failure).toMatchObject({ _tag: "ApiPixMisconfigured", message: expect.stringMatching(why) })
      }),
    )
  }

  const address = { baseUrl: "https://b.example" }
  for (const [what, profile, why] of [
    ["an unknown field", { apiPaht: "/p" }, /its profile: .*no option "apiPaht" \(did you mean "apiPath"\?\)/],
    [
      "an unknown value in a stage",
      { sandbox: { ...address, tokenBody: "xml" } },
      /its profile's sandbox: .*"tokenBody" must be/,
    ],
    [
      "a stage without an address",
      { production: { apiPath: "/p" } },
      /its profile's production: .*"baseUrl" is missing/,
    ],
  ] as const) {
    test(`rejects a profile with ${what}`, () => {
      expect(() => opened({ profile, ...address })).toThrow(why)
    })
  }

  const path = "a path that begins with /, or empty"
  const mustBeValues =
    'texts, { from: "clientId" | "clientSecret" | "applicationKey" | "account" | "token" } or { fresh: "uuid" } by their names'
  const other = { from: "account", otherwise: "client" }
  const wrong: Readonly<Record<string, readonly [mustBe: string, ...values: ReadonlyArray<unknown>]>> = {
    apiPath: [path, "p", 7],
    apiPaths: [
      'paths or URLs by calls like "PATCH dueDate"',
      { "PATCH cob": "/p" },
      { "PATCH dueDate": "p" },
      { "PATCH dueDate": "ftp://b.example" },
      "/p",
    ],
    tokenPath: [path, "p"],
    otherTokenPaths: ["a list of paths that begin with /", ["p"], "/p"],
    tokenUrl: ["a non-empty string", ""],
    clientAuthentication: ['"basic" or "body" or "certificate" or "fixedToken" or "headers"', "none"],
    tokenBody: ['"form" or "json"', "xml"],
    tokenQuery: [mustBeValues, { x: 7 }],
    tokenHeaders: [mustBeValues, "x"],
    scope: ["a string", ["cob.read"]],
    certificate: ['"required" or "none"', true],
    headers: [mustBeValues, { x: { from: "conta" } }, { x: { fresh: "id" } }, { x: "t", y: other }, ["x"]],
    query: [mustBeValues, { x: {} }],
    putOnExisting: ['"alters" or "refuses"', ""],
    codeFields: ["a list of texts", "emv", ["emv", 7]],
    codeFrom: ['"charge" or "codeCall"', ""],
    codeLocation: ['"same" or "other"', ""],
    returnReason: ['"sent" or "leftOut"', "none"],
    dueDateCharges: ['"offered" or "missing"', false],
    recurrenceDemands: ['a list of "receiverBranch", "payerBranch" or "amount"', ["branch"], "amount"],
    zonelessInstants: ['"utc" or "brasilia"', "UTC"],
    localInstants: ['a list of calls like "GET payments"', ["GET pix"], ["GET payments", "GET pix"], "GET payments"],
    absentKinds: ["a list of texts", [7]],
    tokenRefusals: ["a list of objects with status and says", [{ status: 400 }], [{ status: "400", says: "x" }], [7]],
    emptyList: ['"page" or "missing"', ""],
    listPeriod: ['"any", "month" or { days } of at least 1', { days: 0 }, { days: "7" }, "week", 7],
    pace: [
      "{ limits }, a list of { perMinute } of at least 1, with calls and counted",
      { perMinute: 10 },
      { limits: 10 },
      { limits: [{ perMinute: 0 }] },
      { limits: [{ perMinute: "9" }] },
      { limits: [{ perMinute: 1, calls: ["GET pix"] }] },
      { limits: [{ perMinute: 1, calls: "token" }] },
      { limits: [{ perMinute: 1, counted: "all" }] },
      { limits: [], pauseMs: -1 },
      { limits: [], pauseMs: "1" },
    ],
    pageSize: ["a number from 1 to 1000", 0, 1001],
    firstPage: ["0 or 1", 2, "0"],
    webhookKey: ['"asIs" or "withoutPlus"', ""],
    webhookSuffix: ["a string", 7],
    skipWebhookMtlsHeaders: ["texts by their names", { x: 7 }],
    production: ["an object", "https://b.example"],
    bank: ["a string", 7],
    sources: ["a list of sources", [7]],
  }
  test.each(Object.entries(wrong))("rejects a profile with an invalid %s", (field, [mustBe, ...values]) => {
    for (const value of values) {
      expect(() => opened({ profile: { [field]: value }, ...address })).toThrow(
        `: in its profile: the option "${field}" must be ${mustBe}.`,
      )
    }
  })

  test("accepts a profile with all fields", () => {
    const profile = {
      apiPath: "",
      headers: { x: "t", y: { fresh: "uuid" }, z: { from: "account", otherwise: "clientId" } },
      tokenRefusals: [{ status: 400, says: "x" }],
      listPeriod: { days: 1 },
      pace: { limits: [{ perMinute: 1, calls: ["token", "GET payments"], counted: "each" }], pauseMs: 0 },
      firstPage: 1,
      pageSize: 1_000,
    }
    expect(opened({ profile, ...address }).profile).toMatchObject(profile)
  })

  test("accepts the profile of a known bank, and a profile with other options", () => {
    for (const profile of Object.values(pspProfiles)) {
      const secrets = { applicationKey: "k", ...address, tokenUrl: "https://b.example/t" }
      const wanted = profile === pspProfiles.bancoDoBrasil ? secrets : { ...secrets, applicationKey: undefined }
      expect(opened({ ...wanted, profile }).profile.apiPath).toBe(profile.apiPath)
    }
  })

  test("accepts a profile with undefined fields", () => {
    const { profile } = opened({ profile: { headers: undefined, scope: undefined }, ...address })
    expect(profile).toEqual(standardProfile)
  })

  test("rejects a bank without public sources, and says what is missing", () => {
    for (const [name, why] of Object.entries(unsupportedBanks)) {
      expect(findProfile(name)).toContain(`because ${why}`)
      expect(why).toMatch(/[^.]$/)
    }
    expect(findProfile("efi")).toMatchObject({ bank: "Efí" })
  })
})

describe("the header of an application key", () => {
  test.each(["itau", "itauRegulatorio"] as const)(
    "contains the application key at %s, or the client's id if there is none",
    (psp) => {
      const key = "0b5a1c2e-93c1-4c8f-9d58-6c1a77f0a001"
      const sent = (more: object) => {
        const connection = opened({ psp, clientId: "the client", ...more })
        return pspValues(connection.profile.headers, connection)["x-itau-apikey"]
      }
      expect(sent({ applicationKey: key })).toBe(key)
      expect(sent({})).toBe("the client")
    },
  )
})

describe("the query of a URL", () => {
  test("keeps its parameters when others are added", () => {
    const [tokenUrl = ""] = opened({ profile: elsewhere, applicationKey: "k" }).tokenUrls.list()
    expect(withQuery(tokenUrl, { "app-key": "k&y" })).toBe("https://login.bank.example/token?realm=pix&app-key=k%26y")
    expect(withQuery("https://b.example/t", { a: "1" })).toBe("https://b.example/t?a=1")
    expect(withQuery("https://b.example/t?", {})).toBe("https://b.example/t?")
  })

  it.live("contains the parameters of the URL, the profile and the connection in a token request", () =>
    Effect.gen(function* () {
      const urls: Array<string | undefined> = []
      const server = createServer(({ url }, response) => {
        urls.push(url)
        response.writeHead(200, { "content-type": "application/json" }).end('{"access_token":"t","expires_in":600}')
      })
      yield* Effect.promise(() => new Promise<void>((done) => void server.listen(0, "127.0.0.1", done)))
      yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
      const { port } = server.address() as AddressInfo
      const tokenUrl = `http://127.0.0.1:${port}/token?realm=pix`
      const profile = { ...standardProfile, tokenQuery: { grant_type: "client_credentials" } }
      for (const query of [{ "app-key": "k&y" }, undefined]) {
        const given = { profile, baseUrl: "https://bank.invalid", tokenUrl, ...(query && { query }) }
        yield* fetchToken(opened(given), ({ url, ...request }) =>
          Effect.promise(async () => ({ status: 200, text: await (await fetch(url, request)).text() })),
        )
      }
      const always = "/token?realm=pix&grant_type=client_credentials"
      expect(urls).toEqual([`${always}&app-key=k%26y`, always])
    }),
  )
})
