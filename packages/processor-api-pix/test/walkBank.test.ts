import { apiPix, type PspProfile, standardProfile } from "@pixcharge/processor-api-pix"
import { type BankOptions, bankWays, type BankWays, reshaping, type SimulatedBank } from "@pixcharge/simulated-bank"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { account, company, connectionTo, noticeSecrets, openPsp } from "./bank/openBank.ts"

const { combine, brasiliaAsUtc, brasiliaWithoutZone, onlyFor, rename } = reshaping
const dayMs = 86_400_000
const phone = "+5581999990000"

/** Pays small charges immediately, as banks' sandboxes do. */
const paySmallCharges = (psp: SimulatedBank) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      setInterval(() => {
        for (const { issuer, txid, terms, status } of psp.ledger.charges.values()) {
          if (status === "active" && JSON.stringify(terms.body).includes('"1.00"')) psp.pay(issuer, txid)
        }
      }, 20),
    ),
    (timer) => Effect.sync(() => clearInterval(timer)),
  )

const walk = { inProduction: false, waitMs: 3_000, webhookUrl: "https://shop.example/pix" }

const walked = (
  profile: Partial<PspProfile>,
  ways: Partial<BankWays>,
  more: { readonly order?: object; readonly stage?: "production"; readonly pays?: false } = {},
) =>
  Effect.gen(function* () {
    const accounts: BankOptions["accounts"] = [{ ...account, pixKeys: [phone] }]
    // With a `reshape`, the traffic isn't checked against the API's schemas, because this bank differs from them.
    const psp = yield* openPsp({ accounts, ways: { reshape: (answer) => answer, ...ways } })
    if (more.pays !== false) yield* paySmallCharges(psp)
    const given = { stage: more.stage ?? "sandbox", profile: { ...standardProfile, ...profile } } as const
    const connection = yield* Effect.promise(() => connectionTo(psp, company, given))
    const { processor } = apiPix({ companies: { [company.cnpj]: connection }, noticeSecrets })
    const order = { companies: { [company.cnpj]: phone }, walk: { ...walk, ...more.order } }
    const findings = yield* Effect.promise(async () => (await processor.diagnose?.(order)) ?? [])
    return { psp, findings, found: findings.find(({ check }) => check.startsWith("profile of")) }
  })

const expectNothingLeft = ({ ledger }: SimulatedBank) => {
  expect([...ledger.charges.values()].filter(({ status }) => status === "active")).toEqual([])
  expect(ledger.webhooks.size).toBe(0)
}

const missingIs400: NonNullable<BankWays["reshape"]> = (answer, { path }) =>
  answer.status === 404 && path.startsWith("/cob/")
    ? { status: 400, body: { nome: "nada_aqui", mensagem: "nada" } }
    : answer

const missingIsListed: NonNullable<BankWays["reshape"]> = (answer, { path }) =>
  answer.status === 404 && path.startsWith("/cob/")
    ? { status: 422, body: { errors: [{ code: "PIX-404", message: "nada" }] } }
    : answer

const emptyIsMissing: NonNullable<BankWays["reshape"]> = (answer, { path }) =>
  path === "/pix" && JSON.stringify(answer.body).includes('"pix":[]')
    ? { status: 404, body: { title: "NaoEncontrado", detail: "nada" } }
    : answer

const charges = ["PUT cob", "GET cob"]

/** A bank's differences from the standard profile, each with the patch that the walk must find. */
const differences: ReadonlyArray<readonly [what: string, ways: Partial<BankWays>, patch: object]> = [
  [
    "another name of the code",
    { reshape: onlyFor(charges, rename({ pixCopiaECola: "emv" })) },
    { codeFields: ["emv"] },
  ],
  ["a separate call for the code", { code: "ownCall" }, { codeFrom: "codeCall", codeFields: ["emv"] }],
  ["codes for another location", { code: "ofAnother" }, { codeLocation: "other" }],
  ["a refused second PUT", { putOnExisting: "refuses" }, { putOnExisting: "refuses" }],
  [
    "charges that stay as they are",
    { putOnExisting: "refuses", patchOfTerms: "refuses" },
    { putOnExisting: "refuses", changes: "missing" },
  ],
  ["a name that means absence", { reshape: missingIs400 }, { absentKinds: ["nada_aqui"] }],
  ["a listed code that means absence", { reshape: missingIsListed }, { absentKinds: ["PIX-404"] }],
  ["Brasília's time without a zone", { reshape: brasiliaWithoutZone }, { zonelessInstants: "brasilia" }],
  ["Brasília's time marked Z", { reshape: onlyFor(charges, brasiliaAsUtc) }, { localInstants: ["GET immediate"] }],
  [
    "returns without a reason",
    bankWays.efi.production.refusesRequest ? { refusesRequest: bankWays.efi.production.refusesRequest } : {},
    { returnReason: "leftOut" },
  ],
  ["a 404 for an empty list", { reshape: emptyIsMissing }, { emptyList: "missing" }],
  [
    "a period of five days",
    { refusesPeriod: (from, to) => to - from > 5 * dayMs + 1_000 },
    { listPeriod: { days: 5 } },
  ],
  ["pages counted from 1", { firstPage: 1, pagesBeyond: "refused" }, { firstPage: 1 }],
  ["small pages", { pageSize: 50 }, { pageSize: 50 }],
  ["telephones without +", { webhookKeys: "withoutPlus" }, { webhookKey: "withoutPlus" }],
]

describe("a walk through a bank", () => {
  it.live("finds no difference if the profile is right, and leaves no charge or webhook at the bank", () =>
    Effect.gen(function* () {
      const { psp, findings, found } = yield* walked({}, {})
      expect(found).toEqual({
        check: `profile of ${company.cnpj}`,
        status: "ok",
        message: "the walk found the bank as its profile says",
      })
      expect(findings.filter(({ status, check }) => status === "skipped" && !check.startsWith("webhook of"))).toEqual(
        [],
      )
      const calls = psp.exchanges.map(({ method, path }) => `${method} ${path.split("/")[1]}`)
      for (const call of ["PUT cob", "GET cob", "GET pix", "PUT pix", "PUT webhook", "DELETE webhook", "PATCH cob"])
        expect(calls).toContain(call)
      expectNothingLeft(psp)
    }),
  )

  for (const [what, ways, patch] of differences) {
    it.live(`finds ${what} as the only difference`, () =>
      Effect.gen(function* () {
        const { psp, found } = yield* walked({}, ways)
        expect(found).toMatchObject({ status: "failed", patch })
        expect(found?.patch).toEqual(patch)
        expectNothingLeft(psp)
        // With the patch, the profile matches the bank.
        const again = yield* walked(patch, ways)
        expect(again.found?.status).toBe("ok")
      }),
    )
  }

  it.live("finds several differences, also of a profile that differs from a standard bank", () =>
    Effect.gen(function* () {
      const reshape = combine(onlyFor(charges, rename({ pixCopiaECola: "emv" })), emptyIsMissing)
      expect((yield* walked({}, { reshape, putOnExisting: "refuses" })).found?.patch).toEqual({
        codeFields: ["emv"],
        emptyList: "missing",
        putOnExisting: "refuses",
      })
      const odd = {
        returnReason: "leftOut",
        codeFrom: "codeCall",
        listPeriod: { days: 4 },
        emptyList: "missing",
        changes: "missing",
      } as const
      expect((yield* walked(odd, {})).found?.patch).toEqual({
        returnReason: "sent",
        codeFrom: "charge",
        listPeriod: "any",
        emptyList: "page",
        changes: "offered",
      })
    }),
  )

  it.live("finds the path at which the bank gives tokens", () =>
    Effect.gen(function* () {
      const { found } = yield* walked({ otherTokenPaths: ["/auth/token"] }, { tokenPath: "/auth/token" })
      expect(found?.patch).toEqual({ tokenPath: "/auth/token" })
    }),
  )

  it.live("doesn't run in production unless that is allowed", () =>
    Effect.gen(function* () {
      const refused = yield* walked({}, {}, { stage: "production" })
      expect(refused.found).toMatchObject({
        status: "failed",
        message: expect.stringContaining("allow the walk in production"),
      })
      expect(refused.psp.exchanges.filter(({ method, path }) => method !== "GET" && path !== "/oauth/token")).toEqual(
        [],
      )
      const allowed = yield* walked({}, {}, { stage: "production", order: { inProduction: true } })
      expect(allowed.found?.status).toBe("ok")
    }),
  )

  it.live("reports the facts that it couldn't find out", () =>
    Effect.gen(function* () {
      const { psp, findings, found } = yield* walked(
        {},
        {},
        { pays: false, order: { waitMs: 0, webhookUrl: undefined } },
      )
      expect(found?.status).toBe("ok")
      const skipped = findings.filter(({ status }) => status === "skipped").map(({ message }) => message)
      expect(skipped).toEqual([
        "no payment of the walk's charge came",
        "name a public URL to have it registered and removed again",
      ])
      expectNothingLeft(psp)
    }),
  )

  it.live("removes its charges if the bank fails on the way", () =>
    Effect.gen(function* () {
      const { psp, found } = yield* walked(
        {},
        {
          kinds: ["cob"],
          refusesRequest: ({ method, path }) =>
            method === "GET" && path === "/pix" ? { status: 403, body: { title: "AcessoNegado" } } : undefined,
        },
      )
      expect(found).toBeDefined()
      expectNothingLeft(psp)
    }),
  )
})
