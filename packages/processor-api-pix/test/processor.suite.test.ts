import { remoteProcessorSuite } from "@pixcharge/testkit"
import * as Effect from "effect/Effect"
import { company, openBank, otherCompany } from "./bank/openBank.ts"

const paymentsPerPage = 4

remoteProcessorSuite(
  "API Pix over mTLS",
  Effect.map(openBank({ pageSize: paymentsPerPage }), ({ psp, processor }) => ({
    processor,
    company,
    otherCompany,
    paymentsPerPage,
    pay: (charge) =>
      Effect.sync(() => {
        const { endToEndId, cents, paidAt } = psp.pay(charge.issuer, charge.txid)
        return { issuer: charge.issuer, txid: charge.txid, endToEndId, amountCents: cents as never, paidAt }
      }),
    unreachable: (during) =>
      Effect.acquireUseRelease(
        Effect.sync(() => psp.faults.add({ _tag: "RequestLost" })),
        () => during,
        (end) => Effect.sync(end),
      ),
    answersLost: (during) =>
      Effect.acquireUseRelease(
        Effect.sync(() =>
          psp.faults.add({ _tag: "AnswerLost" }, ({ method }) => method !== "GET" && method !== "POST"),
        ),
        () => during,
        (end) => Effect.sync(end),
      ),
    slowRefunds: (during) => {
      psp.ways.returnPace = "manual"
      return during
    },
    endRefund: ({ endToEndId, refundId }, how) => Effect.sync(() => psp.endReturn(endToEndId, refundId, how)),
  })),
)
