import { InvalidOption } from "@pixcharge/core"
import type { ChargePayer } from "@pixcharge/core/charges"
import { aFlag, optionFlaw } from "@pixcharge/core/internal"
import { type Cnpj, normalizeTaxId, parseTaxId, type TaxId } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Services } from "../instance/services.ts"
import { pageRequest } from "./filters.ts"
import { type PlainRecurrence, toPlainRecurrence } from "./RecurrenceFacts.ts"
import { type Calls, recordIfNamed } from "./calls.ts"
import { type PlainCharge, toPlainCharge } from "./plain.ts"

export interface EraseOptions {
  /**
   * Keeps `reference` and `metadata`, if they don't name payers. A later call can't erase them: it no longer finds the charges.
   */
  readonly keepReference?: boolean | undefined
}

/** A payer's rights over their data, by CPF or CNPJ, and the record of the viewers. */
export interface Payers {
  /**
   * The payer of one charge; undefined if the charge names no payer, or the payer was erased. Pages mask payers and call this
   * in the viewer's name, because the audit log records it. Rejects with `ChargeNotFound`.
   */
  readonly show: (issuer: string, id: string) => Promise<ChargePayer | undefined>
  /** All data that the company keeps about the payer. */
  readonly export: (
    issuer: string,
    taxId: string,
  ) => Promise<{
    readonly charges: ReadonlyArray<PlainCharge>
    /** Empty without the option `recurrences`. */
    readonly recurrences: ReadonlyArray<PlainRecurrence>
  }>
  /**
   * Erases name, tax id and contact on every recurrence and charge, and the texts that can name the payer: `messageToPayer`,
   * `additionalInfo`, `reference` and `metadata`, the last two also in stored events. Amounts and payments stay. Returns the
   * number of changed recurrences and charges. Rejects with `PayerHasRecurrence`, without an erasure, while one of the payer's
   * recurrences isn't over, and with `InvalidOption`.
   */
  readonly erase: (issuer: string, taxId: string, options?: EraseOptions) => Promise<number>
}

const checkEraseOptions = (options: EraseOptions = {}): Effect.Effect<EraseOptions, InvalidOption> => {
  const flaw = optionFlaw<EraseOptions>(options, { keepReference: aFlag })
  return flaw === undefined
    ? Effect.succeed(options)
    : Effect.fail(new InvalidOption({ message: `payers.erase(issuer, taxId, options): ${flaw}.` }))
}

const listAll = Effect.fnUntraced(function* (
  { list, dueDates }: NonNullable<Services["recurrences"]>,
  company: Cnpj,
  payer: TaxId,
) {
  const all: Array<PlainRecurrence> = []
  const dueDate = yield* dueDates(company)
  let cursor: string | undefined
  do {
    const page = yield* list(company, { payer }, pageRequest(cursor === undefined ? {} : { cursor }))
    all.push(...page.items.map((recurrence) => toPlainRecurrence(recurrence, dueDate(recurrence))))
    cursor = page.cursor
  } while (cursor !== undefined)
  return all
})

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
      asCompany(issuer, ({ payers, audit, recurrences: known }, company) =>
        Effect.gen(function* () {
          const payer = yield* parse(taxId)
          const { charges } = yield* payers.export(company, payer)
          const authorised = known === undefined ? [] : yield* listAll(known, company, payer)
          const recurrences = authorised.length
          const counted = { charges: charges.length, ...(recurrences > 0 && { recurrences }) }
          yield* recordIfNamed(audit, company, { kind: "payerExported", ...counted })
          const now = yield* Clock.currentTimeMillis
          return {
            charges: charges.map((charge) => toPlainCharge(charge, now)),
            recurrences: authorised,
          }
        }),
      ),
    erase: (issuer, taxId, options) =>
      asCompany(
        issuer,
        Effect.fnUntraced(function* ({ payers }, company) {
          const checked = yield* checkEraseOptions(options)
          return yield* payers.erase(company, yield* parse(taxId), yield* Clock.currentTimeMillis, checked)
        }),
      ),
  }
}
