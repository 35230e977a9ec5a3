import { PaymentProcessor } from "@pixcharge/core"
import { apiPix, type ApiPixConnection, pspProfiles } from "@pixcharge/processor-api-pix"
import { bankWays, startSimulatedBank } from "@pixcharge/simulated-bank"
import { anOrder } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it as test } from "vitest"
import { openConnection } from "../src/connection/openConnection.ts"
import { pspValues } from "../src/client/PspCall.ts"
import { account, certificates, company } from "./bank/openBank.ts"
import { type LifeBank, openLife } from "./life/openLife.ts"
import { firstFailure, type LifeStep, steps } from "./life/steps.ts"

const liveThrough = (bank: LifeBank, ...wanted: ReadonlyArray<LifeStep>) =>
  Effect.gen(function* () {
    const life = yield* openLife(bank, "production")
    for (const [name, step] of steps) if (wanted.includes(name)) yield* Effect.promise(() => step(life))
  })

describe("hosts of banks whose sources disagree", () => {
  for (const [form, noticeBody] of [
    ["in the standard's form", (body: unknown) => body],
    ["as a list of payments", (body: unknown) => (body as { readonly pix: unknown }).pix],
    ["as a list of bodies in the standard's form", (body: unknown) => [body]],
  ] as const) {
    for (const noticeSuffix of ["", "/pix"] as const) {
      it.live(`accept Inter's notice ${form} at the webhook's address with the suffix "${noticeSuffix}"`, () =>
        liveThrough(
          {
            psp: "inter",
            profile: pspProfiles.inter,
            ways: { production: { ...bankWays.inter.production, noticeBody, noticeSuffix } },
          },
          "registers its webhook at every start",
          "records a payment that the bank reports",
        ),
      )
    }
  }

  it.live("issue Sicredi's charges at v2 with a profile of the host's own", () =>
    Effect.gen(function* () {
      const profile = { ...pspProfiles.sicredi, apiPaths: {} }
      const ways = { production: { ...bankWays.sicredi.production, apiRoots: {} } }
      const life = yield* openLife({ profile, ways }, "production")
      expect(yield* Effect.promise(() => firstFailure(life))).toBeUndefined()
    }),
  )
})

it.live("a connection calls Banco do Brasil's homologation without a certificate", () =>
  Effect.gen(function* () {
    const { authority, server } = yield* Effect.promise(certificates)
    const { hosts: _, ...ways } = bankWays.bancoDoBrasil.sandbox ?? {}
    const credentials = { clientId: account.clientId, clientSecret: account.clientSecret, applicationKey: "k" }
    const options = { accounts: [{ ...account, ...credentials }], tls: { ...server, ca: authority.ca }, ways }
    const psp = yield* Effect.acquireRelease(
      Effect.promise(() => startSimulatedBank(options)),
      ({ close }) => Effect.promise(close),
    )
    const addresses = { baseUrl: psp.baseUrl, tokenUrl: `${psp.baseUrl}/oauth/token`, ca: authority.ca }
    const connection = { psp: "bancoDoBrasil", stage: "sandbox", ...credentials, ...addresses } as const
    const context = yield* Layer.build(apiPix({ companies: { [company.cnpj]: connection } }).processor)
    const order = yield* anOrder(company)
    yield* Context.get(context, PaymentProcessor).register(order)
    expect(psp.ledger.charges.get(`${company.cnpj}/${order.txid}`)).toBeDefined()
  }),
)

test("a connection names Inter's account in its headers if it has an account", () => {
  const readHeaders = (given: Partial<ApiPixConnection>) => {
    const connection = { psp: "inter", clientId: "id", clientSecret: "secret", fetch, ...given } as ApiPixConnection
    const opened = openConnection(company.cnpj, connection)
    return pspValues(opened.profile.headers, opened)
  }
  expect(readHeaders({})).toEqual({})
  expect(readHeaders({ account: "1234567" })).toEqual({ "x-conta-corrente": "1234567" })
})
