import type { EndedBy, RecurrenceView } from "@pixcharge/core/recurrence"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { removeScheme } from "./Cob.ts"
import { Instant } from "./Instant.ts"
import {
  Count,
  Elements,
  lenient,
  looseStruct,
  makeReader,
  readEntries,
  type Reader,
  readTrimmed,
  Text,
  UnreadableAnswer,
} from "./Reader.ts"
import { type CountedPage, readCounts } from "./lists.ts"

/** Reads the content of `data` if a bank wraps its answer in it. */
export const withinData =
  <A>(read: Reader<A>): Reader<A> =>
  (json) =>
    read(Predicate.isObject(json) && Predicate.isObject(json["data"]) ? json["data"] : json)

const simplifyStatus = (status: string): string =>
  status
    .normalize("NFD")
    .replace(/[^A-Za-z]/g, "")
    .toUpperCase()
    .replace(/O$/, "A")

/** Finds the meaning of a status, or "unknown". The keys of `meanings` are in the central bank's spelling. */
export const readStatus = <A extends string>(
  meanings: Readonly<Record<string, A>>,
  status: string | undefined,
): A | "unknown" => {
  const word = simplifyStatus(status ?? "")
  return Object.hasOwn(meanings, word) ? (meanings[word] ?? "unknown") : "unknown"
}

/** The central bank's own examples have the status in a field `nome`. */
const Update = looseStruct({ status: lenient(Text), nome: lenient(Text), data: lenient(Instant) })

const readUpdate = Schema.decodeUnknownOption(Update)

export const Updates = lenient(Elements)

/** Banks can omit the status, and list its changes in any order. */
export const readState = (status: string | undefined, updates: ReadonlyArray<unknown> = []) => {
  const changes = updates.flatMap((update) => {
    const read = readUpdate(update)
    if (read._tag === "None") return []
    const { status: word, nome = word, data } = read.value
    return nome === undefined ? [] : [{ word: word ?? nome, at: data }]
  })
  const inOrder = changes.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
  const current = status ?? inOrder.at(-1)?.word
  const since = inOrder.findLast(({ word }) => simplifyStatus(word) === simplifyStatus(current ?? ""))
  return { word: current, at: since?.at }
}

const End = looseStruct({ solicitante: lenient(Text), codigo: lenient(Text) })

export const Ends = lenient(looseStruct({ cancelamento: lenient(End), rejeicao: lenient(End) }))

const enders: Readonly<Record<string, EndedBy>> = {
  USUARIO_PAGADOR: "payer",
  PSP_PAGADOR: "payerBank",
  USUARIO_RECEBEDOR: "company",
  PSP_RECEBEDOR: "companyBank",
}

/** Codes stay as they are, because banks add new ones. */
export const readEnd = (ends: typeof Ends.Type) => {
  const { solicitante, codigo } = ends?.cancelamento ?? ends?.rejeicao ?? {}
  const by = solicitante === undefined ? undefined : enders[solicitante.trim().toUpperCase()]
  const code = readTrimmed(codigo)
  return { ...(by !== undefined && { by }), ...(code !== undefined && { code }) }
}

/** The status of a request to the payer's bank (`solicrec`). */
export type PspRequestStatus = "open" | "accepted" | "declined" | "expired" | "cancelled" | "unknown"

const requestMeanings = {
  CRIADA: "open",
  ENVIADA: "open",
  RECEBIDA: "open",
  ACEITA: "accepted",
  REJEITADA: "declined",
  EXPIRADA: "expired",
  CANCELADA: "cancelled",
} as const

const readRequest = makeReader(
  looseStruct({ status: lenient(Text), atualizacao: Updates }),
  ({ status, atualizacao }): PspRequestStatus => readStatus(requestMeanings, readState(status, atualizacao).word),
)

/** A bank's recurrence (`RecCompleta`). Its `brCode` is unchecked and depends on the query. */
export interface PspRecurrence extends RecurrenceView {
  readonly contract?: string
  readonly location?: string
  /** The requests to the payer's bank, in the bank's order. */
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

const recurrenceMeanings = {
  CRIADA: "offered",
  APROVADA: "approved",
  REJEITADA: "declined",
  EXPIRADA: "expired",
  CANCELADA: "cancelled",
} as const

/** Fails without an id, but accepts a status that we don't know. */
export const readRecurrence: Reader<PspRecurrence> = withinData(
  makeReader(Rec, (rec): PspRecurrence => {
    const { word, at } = readState(rec.status, rec.atualizacao)
    const contract = readTrimmed(rec.vinculo?.contrato)
    const location = readTrimmed(rec.loc?.location)
    const brCode = readTrimmed(rec.dadosQR?.pixCopiaECola)
    return {
      bankId: rec.idRec.trim(),
      status: readStatus(recurrenceMeanings, word),
      requests: readEntries(rec.solicitacao, readRequest).read,
      ...readEnd(rec.encerramento),
      ...(at !== undefined && { at }),
      ...(contract !== undefined && { contract }),
      ...(location !== undefined && { location: removeScheme(location) }),
      ...(brCode !== undefined && { brCode }),
    }
  }),
)

/** With exactly this id: upper and lower case differ. Fails for any other recurrence. */
export const recurrenceReaderFor =
  (bankId: string): Reader<PspRecurrence> =>
  (json) =>
    Result.filterOrFail(
      readRecurrence(json),
      (recurrence) => recurrence.bankId === bankId,
      () => new UnreadableAnswer({ fields: ["idRec"] }),
    )

/** Reads a new location's id (`PayloadLocationRecGerada`). */
export const readLocationId: Reader<number> = withinData(makeReader(looseStruct({ id: Count }), ({ id }) => id))

/** One page of recurrences (`RecsConsultadas`). */
export interface PspRecurrencePage extends CountedPage {
  readonly recurrences: ReadonlyArray<PspRecurrence>
  readonly flaws: ReadonlyArray<UnreadableAnswer>
}

const Recs = looseStruct({ parametros: Schema.optional(Schema.Unknown), recs: Schema.optional(Elements) })

const readConsulted = makeReader(Recs, (page) => page)

/** An empty list can be missing if the answer repeats the request's parameters. */
export const readRecurrencePage: Reader<PspRecurrencePage> = withinData((json) =>
  Result.flatMap(readConsulted(json), ({ parametros, recs }) => {
    if (recs === undefined && !Predicate.isObject(parametros)) {
      return Result.fail(new UnreadableAnswer({ fields: ["recs"] }))
    }
    const { read, flaws } = readEntries(recs, readRecurrence)
    return Result.succeed({ ...readCounts(parametros, recs ?? [], "idRec"), recurrences: read, flaws })
  }),
)
