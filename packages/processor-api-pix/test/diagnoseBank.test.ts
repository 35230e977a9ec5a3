import type { Finding } from "@pixcharge/core"
import { apiPix, standardProfile } from "@pixcharge/processor-api-pix"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { account, company, connectionTo, noticeSecrets, openPsp, otherCompany, strangerCnpj } from "./bank/openBank.ts"
import { noticeUrl, openShop } from "./bank/openShop.ts"

const named = { companies: { [company.cnpj]: company.pixKey } }

const sentences = (findings: ReadonlyArray<Finding>) =>
  findings.map(({ check, status, message }) => `${check}: ${status}: ${message}`)

describe("the diagnosis of API Pix", () => {
  it.live("accepts working credentials and the registered webhook", () =>
    Effect.gen(function* () {
      const { bank, pix, psp } = yield* openShop()
      const order = { pixKey: company.pixKey, mountedAt: "https://shop.invalid", reconcile: pix.reconcile }
      yield* Effect.promise(() => bank.registerWebhook(company.cnpj, order))
      const findings = yield* Effect.promise(() => pix.diagnose(named))
      expect(sentences(findings).slice(1)).toEqual([
        "notice secrets: ok: they are long enough",
        `bank of ${company.cnpj}: ok: it gives a token, and accepts it`,
        `webhook of ${company.cnpj}: ok: the bank calls our route`,
        `bank of ${otherCompany.cnpj}: ok: it gives a token, and accepts it`,
        `webhook of ${otherCompany.cnpj}: skipped: name the company's Pix key to have its webhook looked up`,
      ])
      expect(psp.exchanges.filter(({ method }) => method !== "GET" && method !== "POST").length).toBe(1)
    }),
  )

  for (const [what, url, why] of [
    ["no webhook", undefined, "the bank has none for the key: call registerWebhook"],
    [
      "another company's webhook",
      `https://shop.invalid${noticeUrl(otherCompany)}`,
      "the bank calls another address: call registerWebhook, and see that it is mounted there",
    ],
  ] as const) {
    it.live(`says that the webhook must be registered, but doesn't register it, if the bank has ${what}`, () =>
      Effect.gen(function* () {
        const { pix, psp } = yield* openShop()
        if (url !== undefined) psp.ledger.webhooks.set(company.pixKey, { url, since: Date.now() })
        const findings = yield* Effect.promise(() => pix.diagnose(named))
        const webhook = findings.find(({ check }) => check === `webhook of ${company.cnpj}`)
        expect(webhook).toMatchObject({ status: "failed", message: why })
        expect(psp.ledger.webhooks.get(company.pixKey)?.url).toBe(url)
      }),
    )
  }

  it.live("says what to check if the bank gives no token, without the secret", () =>
    Effect.gen(function* () {
      const { pix } = yield* openShop({ connection: { clientSecret: "a wrong one" } })
      const findings = yield* Effect.promise(() => pix.diagnose(named))
      const bank = findings.find(({ check }) => check === `bank of ${company.cnpj}`)
      expect(bank).toMatchObject({ status: "failed", message: expect.stringMatching(/HTTP 401.*clientSecret/) })
      expect(JSON.stringify(findings)).not.toContain("a wrong one")
    }),
  )

  it.live("names the credentials that this bank needs if it gives no token", () =>
    Effect.gen(function* () {
      const profile = {
        ...standardProfile,
        clientAuthentication: "certificate",
        scope: "",
        query: { "app-key": { from: "applicationKey" } },
        headers: { "x-account": { from: "account", isOptional: true } },
      } as const
      const { pix } = yield* openShop({ connection: { profile, applicationKey: "k" } })
      const findings = yield* Effect.promise(() => pix.diagnose(named))
      const { message = "" } = findings.find(({ check }) => check === `bank of ${company.cnpj}`) ?? {}
      expect(message).toContain(
        "check baseUrl, clientId, applicationKey, account (if your contract has it), the certificate and what your contract lets you do",
      )
      expect(message).not.toContain("clientSecret")
    }),
  )

  it.live("reports that a bank doesn't answer", () =>
    Effect.gen(function* () {
      const psp = yield* openPsp()
      const connection = yield* Effect.promise(() => connectionTo(psp, company, { baseUrl: "https://127.0.0.1:1" }))
      const { processor } = apiPix({ companies: { [company.cnpj]: connection }, noticeSecrets })
      const findings = yield* Effect.promise(async () => processor.diagnose?.(named) ?? [])
      expect(findings.at(-1)).toMatchObject({ check: `bank of ${company.cnpj}`, status: "failed" })
      expect(findings.at(-1)?.message).toMatch(/^the bank doesn't answer: check baseUrl, clientId, clientSecret, .*/)
    }),
  )

  it.live("names the missing scope if the bank refuses a look-up", () =>
    Effect.gen(function* () {
      for (const [lacking, check, message] of [
        ["cob.read", "bank", /^the bank refuses the call \(HTTP 403\): check baseUrl, .* the scopes \(.*\)$/],
        ["webhook.read", "webhook", /^the bank refuses the call \(HTTP 403\): check the scope webhook\.read$/],
      ] as const) {
        const scopes = standardProfile.scope.split(" ").filter((scope) => scope !== lacking)
        const { pix } = yield* openShop({ psp: { accounts: [{ ...account, scopes }] }, companies: [company] })
        const findings = yield* Effect.promise(() => pix.diagnose(named))
        expect(findings.at(-1)).toMatchObject({ check: `${check} of ${company.cnpj}`, status: "failed" })
        expect(findings.at(-1)?.message).toMatch(message)
      }
    }),
  )

  it.live("checks only the named companies if connections come from a host's function", () =>
    Effect.gen(function* () {
      const psp = yield* openPsp()
      const connection = yield* Effect.promise(() => connectionTo(psp, company))
      const companies = (cnpj: string) => (cnpj === company.cnpj ? connection : undefined)
      const { processor } = apiPix({ companies, noticeSecrets })
      const diagnose = (order: object) =>
        Effect.promise(async () => sentences((await processor.diagnose?.(order)) ?? []))
      const secrets = "notice secrets: ok: they are long enough"
      expect(yield* diagnose({})).toEqual([secrets, "bank: skipped: name a company to have its bank called"])
      expect(
        yield* diagnose({ companies: { [company.cnpj]: undefined, [strangerCnpj]: undefined, 1: undefined } }),
      ).toEqual([
        secrets,
        expect.stringMatching(/^bank: failed: .*14/),
        `bank of ${company.cnpj}: ok: it gives a token, and accepts it`,
        `webhook of ${company.cnpj}: skipped: name the company's Pix key to have its webhook looked up`,
        `bank of ${strangerCnpj}: failed: apiPix has no connection of ${strangerCnpj}: add it to companies.`,
      ])
    }),
  )

  it.live("checks a company once if its CNPJ has two spellings, and skips its webhook without notice secrets", () =>
    Effect.gen(function* () {
      const psp = yield* openPsp()
      const connection = yield* Effect.promise(() => connectionTo(psp, company))
      const punctuated = "12.345.678/0001-95"
      for (const [recorded, requested] of [
        [punctuated, company.cnpj],
        [company.cnpj, punctuated],
      ] as const) {
        const { processor } = apiPix({ companies: { [recorded]: connection }, noticeSecrets: ["short"] })
        const order = { companies: { [requested]: company.pixKey } }
        expect(sentences(yield* Effect.promise(async () => processor.diagnose?.(order) ?? []))).toEqual([
          expect.stringMatching(/^notice secrets: failed: .* at least 32 bytes/),
          `bank of ${company.cnpj}: ok: it gives a token, and accepts it`,
          `webhook of ${company.cnpj}: skipped: its address can't be known without notice secrets`,
        ])
      }
    }),
  )

  it.live("reports faults of a connection and of notice secrets", () =>
    Effect.gen(function* () {
      const { processor } = apiPix({ companies: { [company.cnpj]: { baseUrl: "no URL", clientId: "a", fetch } } })
      const findings = yield* Effect.promise(async () => processor.diagnose?.({}) ?? [])
      expect(findings).toEqual([
        { check: "bank", status: "failed", message: expect.stringContaining("baseUrl must be a URL") },
      ])
      const withFunction = apiPix({
        companies: () => ({ baseUrl: "no URL", clientId: "a", fetch }),
        noticeSecrets,
      }).processor
      const ofFunction = yield* Effect.promise(async () => withFunction.diagnose?.(named) ?? [])
      expect(ofFunction[1]).toEqual({
        check: `bank of ${company.cnpj}`,
        status: "failed",
        message: `The API Pix connection of ${company.cnpj} can't work: baseUrl must be a URL.`,
      })
      const short = apiPix({ companies: {}, noticeSecrets: ["short"] }).processor
      const [secrets] = yield* Effect.promise(async () => short.diagnose?.({}) ?? [])
      expect(secrets).toMatchObject({ check: "notice secrets", status: "failed" })
    }),
  )
})
