import { standardProfile } from "@pixcharge/processor-api-pix"
import { paymentProcessorSuite, remoteProcessorSuite } from "@pixcharge/adapter-tests/suites"
import type { SimulatedBank, BankFault, BankWays } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import { company, openBank, otherCompany } from "./bank/openBank.ts"

const paymentsPerPage = 3

const opened = (ways: Partial<BankWays> = {}, profile = standardProfile) =>
  Effect.map(openBank({ ways: { pageSize: paymentsPerPage, ...ways } }, { profile }), ({ psp, processor }) => ({
    psp,
    processor,
    company,
    otherCompany,
    paymentsPerPage,
    pay: ({ issuer, txid }: { readonly issuer: typeof company.cnpj; readonly txid: string }) =>
      Effect.sync(() => {
        const { endToEndId, amountCents, paidAt } = psp.pay(issuer, txid)
        return { issuer, txid, endToEndId, amountCents, paidAt }
      }),
  }))

const withFault =
  (psp: SimulatedBank, fault: BankFault, hits?: (call: { readonly method: string }) => boolean) =>
  <A, E>(during: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.acquireUseRelease(
      Effect.sync(() => psp.faults.add(fault, hits)),
      () => during,
      (end) => Effect.sync(end),
    )

const isWrite = ({ method }: { readonly method: string }) => method === "PUT" || method === "PATCH"

remoteProcessorSuite(
  "API Pix over mTLS",
  Effect.map(opened(), ({ psp, ...world }) => ({
    ...world,
    unreachable: withFault(psp, { _tag: "RequestLost" }),
    answersLost: withFault(psp, { _tag: "AnswerLost" }, isWrite),
    slowRefunds: (during) => {
      psp.ways.returnPace = "manual"
      return during
    },
    endRefund: ({ endToEndId, refundId }, how) => Effect.sync(() => psp.endReturn(endToEndId, refundId, how)),
  })),
)

paymentProcessorSuite(
  "a bank with unusual answers that refuses a second PUT and repeats returns",
  opened(
    {
      numbersAsText: true,
      loneObjects: true,
      nulls: true,
      code: "locationOnly",
      returnPace: "atOnce",
      putOnExisting: "refuses",
      repeatedReturn: "repeats",
    },
    { ...standardProfile, putOnExisting: "refuses", clientAuthentication: "body", tokenBody: "json", scope: "" },
  ),
)
