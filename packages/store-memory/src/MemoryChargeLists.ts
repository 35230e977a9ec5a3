import { ChargeLists } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { MemoryState } from "./MemoryState.ts"
import { readPage } from "./readPage.ts"

/** The lists of what a company has, in this process. */
export const makeChargeLists = ({ company }: MemoryState): ChargeLists["Service"] => {
  const charges = (issuer: Cnpj) => Array.from(company(issuer).charges.values(), ({ charge }) => charge)
  const payments = (issuer: Cnpj) => Array.from(company(issuer).payments.values(), ({ payment }) => payment)

  return ChargeLists.of({
    charges: (issuer, period, request) =>
      Effect.suspend(() =>
        readPage("charges", charges(issuer), {
          position: ({ createdAt, id }) => ({ at: createdAt, id }),
          period,
          request,
          newestFirst: true,
        }),
      ),
    payments: (issuer, period, request) =>
      Effect.suspend(() =>
        readPage("payments", payments(issuer), {
          position: ({ paidAt, endToEndId }) => ({ at: paidAt, id: endToEndId }),
          period,
          request,
        }),
      ),
    payment: (issuer, endToEndId) => Effect.sync(() => company(issuer).payments.get(endToEndId)?.payment),
    returns: (issuer, period, request) =>
      Effect.suspend(() =>
        readPage("returns", [...company(issuer).returns.values()].flat(), {
          position: ({ returnedAt, endToEndId, id }) => ({ at: returnedAt, id: `${endToEndId} ${id}` }),
          period,
          request,
        }),
      ),
  })
}
