import { normalizeTaxId, parseTaxId } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Calls } from "./makeCalls.ts"
import type { Payers } from "./pix/Payers.ts"
import { toPlainCharge } from "./plain.ts"
import { recordIfNamed } from "./recordIfNamed.ts"
import type { Services } from "./services.ts"

/** Payers' rights, for a plain host. */
export const makePayers = ({ asCompany, onCharge }: Calls<Services>): Payers => {
  const parse = (taxId: string) => Effect.fromResult(parseTaxId(normalizeTaxId(taxId)))
  return {
    show: (issuer, id) =>
      onCharge(issuer, id, ({ charges, audit }, company, chargeId) =>
        Effect.gen(function* () {
          const { payer } = yield* charges.find(company, chargeId)
          if (payer !== undefined) yield* recordIfNamed(audit, company, { kind: "payerShown", chargeId })
          return payer
        }),
      ),
    export: (issuer, taxId) =>
      asCompany(issuer, ({ payers, audit }, company) =>
        Effect.gen(function* () {
          const { charges } = yield* payers.export(company, yield* parse(taxId))
          yield* recordIfNamed(audit, company, { kind: "payerExported", charges: charges.length })
          const now = yield* Clock.currentTimeMillis
          return { charges: charges.map((charge) => toPlainCharge(charge, now)) }
        }),
      ),
    erase: (issuer, taxId) =>
      asCompany(
        issuer,
        Effect.fnUntraced(function* ({ payers, recurrences }, company) {
          const payer = yield* parse(taxId)
          const now = yield* Clock.currentTimeMillis
          if (recurrences !== undefined) yield* recurrences.erasePayer(company, payer, now)
          return yield* payers.erase(company, payer, now)
        }),
      ),
  }
}
