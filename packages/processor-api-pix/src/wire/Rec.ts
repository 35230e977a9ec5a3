import type { RecurrenceView } from "@pixcharge/core/recurrence"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { removeScheme } from "./Cob.ts"
import { type CountedPage, readCounts } from "./CountedPage.ts"
import { Count, Elements, lenient, looseStruct, readTrimmed, Text } from "./Loose.ts"
import { makeReader, readEntries, type Reader, UnreadableAnswer } from "./Reader.ts"
import { Ends, readEnd, readState, readStatus, Updates, withinData } from "./recurrenceFields.ts"
import { type PspRequestStatus, readRequest } from "./SolicRec.ts"

/** A recurrence as the bank knows it (`RecCompleta`). Its `brCode` is unchecked, and depends on what was asked for. */
export interface PspRecurrence extends RecurrenceView {
  readonly contract?: string
  /** Where its payload lies, without a scheme. */
  readonly location?: string
  /** How the requests to the payer's bank stand, in the bank's order. */
  readonly requests: ReadonlyArray<PspRequestStatus>
}

const Rec = looseStruct({
  idRec: Text.check(Schema.isNonEmpty()),
  status: lenient(Text),
  vinculo: lenient(looseStruct({ contrato: lenient(Text) })),
  loc: lenient(looseStruct({ location: lenient(Text) })),
  atualizacao: Updates,
  encerramento: Ends,
  solicitacao: lenient(Elements),
  dadosQR: lenient(looseStruct({ pixCopiaECola: lenient(Text) })),
})

const meanings = {
  CRIADA: "offered",
  APROVADA: "approved",
  REJEITADA: "declined",
  EXPIRADA: "expired",
  CANCELADA: "cancelled",
} as const

/** Reads a recurrence: its id, or nothing. A status of a later version is no fault. */
export const readRecurrence: Reader<PspRecurrence> = withinData(
  makeReader(Rec, (rec): PspRecurrence => {
    const { word, at } = readState(rec.status, rec.atualizacao)
    const contract = readTrimmed(rec.vinculo?.contrato)
    const location = readTrimmed(rec.loc?.location)
    const brCode = readTrimmed(rec.dadosQR?.pixCopiaECola)
    return {
      bankId: rec.idRec.trim(),
      status: readStatus(meanings, word),
      requests: readEntries(rec.solicitacao, readRequest).read,
      ...readEnd(rec.encerramento),
      ...(at !== undefined && { at }),
      ...(contract !== undefined && { contract }),
      ...(location !== undefined && { location: removeScheme(location) }),
      ...(brCode !== undefined && { brCode }),
    }
  }),
)

/** Reads the recurrence of this id, whose case matters; an answer about another one fails. */
export const recurrenceReaderFor =
  (bankId: string): Reader<PspRecurrence> =>
  (json) =>
    Result.filterOrFail(
      readRecurrence(json),
      (recurrence) => recurrence.bankId === bankId,
      () => new UnreadableAnswer({ fields: ["idRec"] }),
    )

/** Reads the id of a location that was made (`PayloadLocationRecGerada`). */
export const readLocationId: Reader<number> = withinData(makeReader(looseStruct({ id: Count }), ({ id }) => id))

/** One page of a list of recurrences (`RecsConsultadas`). */
export interface PspRecurrencePage extends CountedPage {
  readonly recurrences: ReadonlyArray<PspRecurrence>
  readonly flaws: ReadonlyArray<UnreadableAnswer>
}

const Recs = looseStruct({ parametros: Schema.optional(Schema.Unknown), recs: Schema.optional(Elements) })

const readConsulted = makeReader(Recs, (page) => page)

/** Reads one page; an empty list may be left out beside the request's parameters. */
export const readRecurrencePage: Reader<PspRecurrencePage> = withinData((json) =>
  Result.flatMap(readConsulted(json), ({ parametros, recs }) => {
    if (recs === undefined && !Predicate.isObject(parametros)) {
      return Result.fail(new UnreadableAnswer({ fields: ["recs"] }))
    }
    const { read, flaws } = readEntries(recs, readRecurrence)
    return Result.succeed({ ...readCounts(parametros, recs ?? [], "idRec"), recurrences: read, flaws })
  }),
)
