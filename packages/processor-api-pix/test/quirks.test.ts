import { standardProfile } from "@pixcharge/processor-api-pix"
import { paymentProcessorSuite, type PspWays } from "@pixcharge/testkit"
import * as Effect from "effect/Effect"
import { company, openBank, otherCompany } from "./bank/openBank.ts"

const paymentsPerPage = 2

/** The whole of a processor's duties at a bank with ways of its own. */
const suiteAt = (name: string, ways: Partial<PspWays>, profile = standardProfile): void =>
  paymentProcessorSuite(
    name,
    Effect.map(openBank({ pageSize: paymentsPerPage, ways }, { profile }), ({ psp, processor }) => ({
      processor,
      company,
      otherCompany,
      paymentsPerPage,
      pay: (charge) =>
        Effect.sync(() => {
          const { endToEndId, cents, paidAt } = psp.pay(charge.issuer, charge.txid)
          return { issuer: charge.issuer, txid: charge.txid, endToEndId, amountCents: cents as never, paidAt }
        }),
    })),
  )

suiteAt("a bank that took the examples at their word", { numbersAsText: true, loneObjects: true, nulls: true })

suiteAt("a bank of few words", { code: "locationOnly", nulls: true, returnPace: "atOnce" })

suiteAt(
  "a bank that puts once and lets returns be repeated",
  { putOnExisting: "refuses", repeatedReturn: "repeats" },
  { ...standardProfile, putOnExisting: "refuses", clientAuthentication: "body", tokenBody: "json", scope: "" },
)
