import { ChargeLists } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { MemoryState } from "./MemoryState.ts"
import { readPage } from "./readPage.ts"

/** The lists of what a company has, in this process. */
export const makeChargeLists = ({ company }: MemoryState): ChargeLists["Service"] =>
  ChargeLists.of({
    charges: (issuer, period, request) =>
      readPage("charges", () => Array.from(company(issuer).charges.values(), ({ charge }) => charge), {
        position: ({ createdAt, id }) => ({ at: createdAt, id }),
        period,
        request,
        newestFirst: true,
      }),
    payments: (issuer, period, request) =>
      readPage("payments", () => Array.from(company(issuer).payments.values(), ({ payment }) => payment), {
        position: ({ paidAt, endToEndId }) => ({ at: paidAt, id: endToEndId }),
        period,
        request,
      }),
    payment: (issuer, endToEndId) => Effect.sync(() => company(issuer).payments.get(endToEndId)?.payment),
    returns: (issuer, period, request) =>
      readPage("returns", () => [...company(issuer).returns.values()].flat(), {
        position: ({ returnedAt, endToEndId, id }) => ({ at: returnedAt, id: `${endToEndId} ${id}` }),
        period,
        request,
      }),
  })
