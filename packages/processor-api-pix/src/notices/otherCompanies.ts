import { Bookkeeping } from "@pixcharge/core"
import { companiesInTxids, isTxidOfAnother } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { Connections } from "../client/Connections.ts"

export const makeOtherCompanies = Effect.gen(function* () {
  const connections = yield* Connections
  const books = yield* Bookkeeping

  const wake = Effect.fnUntraced(function* (issuer: Cnpj, txids: ReadonlyArray<string>) {
    const others = txids.filter((txid) => isTxidOfAnother(issuer, txid))
    if (others.length === 0) return
    for (const company of companiesInTxids(yield* connections.sharingWith(issuer), others)) {
      yield* books.sweepSoon(company)
    }
  })

  return { sharingWith: connections.sharingWith, wake }
})
