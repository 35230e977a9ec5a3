import { type ApiPixConnection, standardProfile } from "@pixcharge/processor-api-pix"
import { bankWays } from "@pixcharge/simulated-bank"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { describe, expect, it as test } from "vitest"
import { openConnection } from "../../src/connection/openConnection.ts"
import { efi } from "../../src/profiles/efi.ts"
import { company } from "../bank/openBank.ts"
import { saying } from "../saying.ts"
import { aCycleCharge, aRecurrence } from "./aRecurrence.ts"
import { openRecurrences } from "./openRecurrences.ts"

const openAtEfi = () => {
  const { refusesRequest } = bankWays.efi.production
  const { recurrenceDemands = [] } = efi
  return openRecurrences(
    { ways: { ...(refusesRequest && { refusesRequest }) } },
    { profile: { ...standardProfile, recurrenceDemands } },
  )
}

const byBank = (more: object = {}) =>
  ({ by: "bank", ispb: "12345678", account: "98765", until: Date.now() + 86_400_000, ...more }) as const

test("a connection without the branch of the receiving account is rejected if the bank demands the branch", () => {
  const open = (psp: string, branch: object) =>
    openConnection(company.cnpj, {
      psp,
      clientId: "id",
      clientSecret: "secret",
      fetch,
      receivingAccount: { number: "1234567", kind: "payment", ...branch },
    } as ApiPixConnection)
  expect(() => open("efi", {})).toThrow("its receivingAccount has no branch, which this bank demands")
  open("efi", { branch: "1" }).transport.close()
  open("inter", {}).transport.close()
})

describe("an offer without a field that the bank demands", () => {
  for (const [what, lacking, why] of [
    ["amount", { amountCents: undefined }, "this bank demands an amount: give amountCents or floorCents"],
    [
      "branch of the payer's account",
      { journey: byBank() },
      "this bank demands the branch of the payer's account: give journey.branch",
    ],
  ] as const) {
    it.live(`is rejected before any call if it has no ${what}`, () =>
      Effect.gen(function* () {
        const { psp, offer } = yield* openAtEfi()
        const refused = yield* Effect.flip(offer(aRecurrence(lacking as object)))
        expect(refused).toMatchObject({ _tag: "ProcessorRejected", reason: saying(why) })
        expect(psp.exchanges).toEqual([])
      }),
    )
  }
})

it.live("a cycle can be charged after an offer with all fields that the bank demands", () =>
  Effect.gen(function* () {
    const { psp, offer, approve, recurrences } = yield* openAtEfi()
    yield* offer(aRecurrence({ journey: byBank({ branch: "0001" }) }))
    const charge = aCycleCharge(yield* approve())
    yield* recurrences.charge({ company, charge })
    const put = psp.exchanges.find(({ method, path }) => method === "PUT" && path.startsWith("/cobr/"))
    expect(put).toMatchObject({ status: 201, request: { recebedor: { agencia: "1234" } } })
  }),
)
