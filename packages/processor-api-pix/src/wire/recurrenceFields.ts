import type { EndedBy } from "@pixcharge/core/recurrence"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { Instant } from "./Instant.ts"
import { Elements, lenient, looseStruct, readTrimmed, Text } from "./Loose.ts"
import type { Reader } from "./Reader.ts"

/** Some banks put what they return into `data`. */
export const withinData =
  <A>(read: Reader<A>): Reader<A> =>
  (json) =>
    read(Predicate.isObject(json) && Predicate.isObject(json["data"]) ? json["data"] : json)

/** Capitals, and each word in one gender: banks write `CONCLUIDA` and `Concluído`. */
const simplifyStatus = (status: string): string =>
  status
    .normalize("NFD")
    .replace(/[^A-Za-z]/g, "")
    .toUpperCase()
    .replace(/O$/, "A")

/** The meaning of a status, by its word in the central bank's spelling; a word that has none is "unknown". */
export const readStatus = <A extends string>(
  meanings: Readonly<Record<string, A>>,
  status: string | undefined,
): A | "unknown" => {
  const word = simplifyStatus(status ?? "")
  return Object.hasOwn(meanings, word) ? (meanings[word] ?? "unknown") : "unknown"
}

/** A change of a status; the central bank's own examples have `nome` for it. */
const Update = looseStruct({ status: lenient(Text), nome: lenient(Text), data: lenient(Instant) })

const readUpdate = Schema.decodeUnknownOption(Update)

/** The changes of a status, as far as they can be read. */
export const Updates = lenient(Elements)

/** What a status is, and since when: banks may leave the first out, and list its changes in any order. */
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

/** Why something ended (`encerramento`): it was cancelled, or rejected. */
export const Ends = lenient(looseStruct({ cancelamento: lenient(End), rejeicao: lenient(End) }))

const enders: Readonly<Record<string, EndedBy>> = {
  USUARIO_PAGADOR: "payer",
  PSP_PAGADOR: "payerBank",
  USUARIO_RECEBEDOR: "company",
  PSP_RECEBEDOR: "companyBank",
}

/** Who ended it, and the code of its end. Codes are shown as they are: new ones come without notice. */
export const readEnd = (ends: typeof Ends.Type) => {
  const { solicitante, codigo } = ends?.cancelamento ?? ends?.rejeicao ?? {}
  const by = solicitante === undefined ? undefined : enders[solicitante.trim().toUpperCase()]
  const code = readTrimmed(codigo)
  return { ...(by !== undefined && { by }), ...(code !== undefined && { code }) }
}
