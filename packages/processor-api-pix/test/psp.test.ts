import {
  apiPix,
  type ApiPixConnection,
  type PspProfile,
  pspProfiles,
  standardProfile,
} from "@pixcharge/processor-api-pix"
import { it } from "@pixcharge/testkit/suites"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it as test } from "vitest"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { openConnection } from "../src/ApiPixConnection.ts"
import { fetchToken } from "../src/http/fetchToken.ts"
import { pspValues, withQuery } from "../src/http/pspValues.ts"
import { findProfile } from "../src/pspProfiles.ts"
import { unsupportedBanks } from "../src/profiles/unsupported.ts"
import { company } from "./bank/openBank.ts"

const credentials = { clientId: "id", clientSecret: "secret", fetch }

const elsewhere: PspProfile = {
  ...standardProfile,
  production: { baseUrl: "https://api.bank.example", tokenUrl: "https://login.bank.example/token?realm=pix" },
  query: { "app-key": { from: "applicationKey" } },
}

const opened = (given: object) =>
  openConnection(company.cnpj, { ...credentials, ...given } as unknown as ApiPixConnection)

describe("a connection names its bank", () => {
  test("and so where it is", () => {
    const { baseUrl, tokenUrl, profile } = opened({ psp: "efi" })
    expect([baseUrl, tokenUrl, profile.apiPath]).toEqual([
      "https://pix.api.efipay.com.br",
      "https://pix.api.efipay.com.br/oauth/token",
      "/v2",
    ])
    expect(opened({ psp: "efi", stage: "sandbox" }).baseUrl).toBe("https://pix-h.api.efipay.com.br")
  })

  test("and may say otherwise where its servers are", () => {
    const { baseUrl, tokenUrl } = opened({
      psp: "efi",
      baseUrl: "https://new.example/",
      tokenUrl: "https://t.example/t",
    })
    expect([baseUrl, tokenUrl]).toEqual(["https://new.example", "https://t.example/t"])
    expect(opened({ psp: "efi", baseUrl: "https://new.example" }).tokenUrl).toBe("https://new.example/oauth/token")
  })

  test("or gives a profile that says only what is otherwise than the standard", () => {
    const { profile, baseUrl } = opened({ profile: { apiPath: "/p" }, baseUrl: "https://b.example" })
    expect([profile.apiPath, profile.tokenPath, baseUrl]).toEqual(["/p", "/oauth/token", "https://b.example"])
  })

  for (const [what, given, why] of [
    ["an unknown bank", { psp: "bancoXyz" }, /psp names no bank that is known: psp may be standard, .*efi/],
    ["a name of every object", { psp: "toString" }, /psp names no bank that is known/],
    ["no text", { psp: 7 }, /"psp" must be the name of a bank/],
    ["a name that a bank has no more", { psp: "gerencianet" }, /psp must name the bank as "efi"/],
    ["two banks", { psp: "efi", profile: standardProfile }, /psp and profile: name one of them/],
    ["no bank and no address", {}, /baseUrl is missing: name it, or the bank \(psp\)/],
    ["the standard without an address", { psp: "standard" }, /baseUrl is missing/],
    [
      "a stage of which no address is known",
      { profile: elsewhere, stage: "sandbox" },
      /no address of the bank's sandbox/,
    ],
    ["a stage that there isn't", { psp: "efi", stage: "test" }, /"stage" must be "production" or "sandbox"/],
    [
      "an address of the API alone, where tokens come from another server",
      { profile: elsewhere, applicationKey: "k", baseUrl: "https://new.example" },
      /name tokenUrl, too/,
    ],
    ["not what the bank wants", { profile: elsewhere }, /applicationKey is missing or empty/],
    ["an empty secret", { psp: "efi", clientSecret: "" }, /clientSecret is missing or empty/],
    [
      "what the bank has no use for",
      { psp: "efi", account: "12345" },
      /it has account, for which this bank has no use/,
    ],
    [
      "a choice that the bank doesn't have",
      { psp: "standard", baseUrl: "https://b.example", skipWebhookMtls: true },
      /it has skipWebhookMtls, and this bank has no such choice/,
    ],
    ["no certificate where one is wanted", { psp: "efi", fetch: undefined }, /it needs cert and key/],
    ["a secret that is no text", { psp: "efi", clientSecret: 5 }, /"clientSecret" must be a text, or Redacted/],
    ["a token that is no text", { psp: "efi", token: {} }, /"token" must be a text, or Redacted/],
    [
      "a profile whose server isn't https",
      { profile: { production: { baseUrl: "http://b.example" } }, fetch: undefined },
      /baseUrl must be https/,
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
    it.live(`but not ${what}`, () =>
      Effect.gen(function* () {
        const connection = { ...credentials, ...given } as unknown as ApiPixConnection
        const { processor } = apiPix({ companies: { [company.cnpj]: connection } })
        const failure = yield* Effect.flip(Layer.build(processor))
        expect(failure).toMatchObject({ _tag: "ApiPixMisconfigured", message: expect.stringMatching(why) })
      }),
    )
  }

  const found = { baseUrl: "https://b.example" }
  for (const [what, profile, why] of [
    ["a field that there isn't", { apiPaht: "/p" }, /its profile: .*no option "apiPaht" \(did you mean "apiPath"\?\)/],
    ["a word that there isn't", { tokenBody: "xml" }, /"tokenBody" must be "form" or "json"/],
    ["a path that is none", { apiPath: "p" }, /"apiPath" must be a path/],
    ["a call that there isn't", { apiPaths: { "PATCH cob": "/p" } }, /"apiPaths" must be paths by calls/],
    ["a list of calls with another", { localInstants: ["GET pix"] }, /"localInstants" must be a list of calls/],
    ["a credential that there isn't", { headers: { x: { from: "conta" } } }, /"headers" must be/],
    ["a list of no days", { listPeriod: { days: 0 } }, /"listPeriod" must be/],
    ["no calls a minute", { pace: { limits: [{ perMinute: 0 }] } }, /"pace" must be/],
    ["a pace without limits", { pace: { perMinute: 10 } }, /"pace" must be/],
    ["pages of nothing", { pageSize: 0 }, /"pageSize" must be a number from 1 to 1000/],
    [
      "the same at a stage",
      { sandbox: { ...found, tokenBody: "xml" } },
      /its profile's sandbox: .*"tokenBody" must be/,
    ],
    [
      "a stage without an address",
      { production: { apiPath: "/p" } },
      /its profile's production: .*"baseUrl" is missing/,
    ],
  ] as const) {
    test(`but not a profile with ${what}`, () => {
      expect(() => opened({ profile, ...found })).toThrow(why)
    })
  }

  test("or gives a profile that is known, or made of one", () => {
    for (const profile of Object.values(pspProfiles)) {
      const secrets = { applicationKey: "k", ...found, tokenUrl: "https://b.example/t" }
      const wanted = profile === pspProfiles.bancoDoBrasil ? secrets : { ...secrets, applicationKey: undefined }
      expect(opened({ ...wanted, profile }).profile.apiPath).toBe(profile.apiPath)
    }
  })

  test("or gives a profile with fields that it leaves open", () => {
    const { profile } = opened({ profile: { headers: undefined, scope: undefined }, ...found })
    expect(profile).toEqual(standardProfile)
  })

  test("that no public source describes: the refusal says what is missing", () => {
    for (const [name, why] of Object.entries(unsupportedBanks)) {
      expect(findProfile(name)).toContain(`because ${why}`)
      expect(why).toMatch(/[^.]$/)
    }
    expect(findProfile("efi")).toMatchObject({ bank: "Efí" })
  })
})

describe("what goes into a header", () => {
  test.each(["itau", "itauRegulatorio"] as const)(
    "is the key of the contract at %s, or else the client's id",
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

  test("is named by credentials that there are", () => {
    const headers = { "x-key": { from: "applicationKey", otherwise: "client" } }
    expect(() => opened({ profile: { headers } as never })).toThrow('in its profile: the option "headers" must be')
  })
})

describe("what goes into a URL", () => {
  test("is added to the query that it has", () => {
    const { tokenUrl } = opened({ profile: elsewhere, applicationKey: "k" })
    expect(withQuery(tokenUrl, { "app-key": "k&y" })).toBe("https://login.bank.example/token?realm=pix&app-key=k%26y")
    expect(withQuery("https://b.example/t", { a: "1" })).toBe("https://b.example/t?a=1")
    expect(withQuery("https://b.example/t?", {})).toBe("https://b.example/t?")
  })

  it.live("is what the server of tokens is asked with: the query of its URL, the profile's and the connection's", () =>
    Effect.gen(function* () {
      const asked: Array<string | undefined> = []
      const server = createServer(({ url }, response) => {
        asked.push(url)
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
      expect(asked).toEqual([`${always}&app-key=k%26y`, always])
    }),
  )
})
