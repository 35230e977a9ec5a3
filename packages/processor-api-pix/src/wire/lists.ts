import type { Txid } from "@pixcharge/core/charges"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { instantText } from "./Instant.ts"
import { Count, lenient, looseStruct, toText } from "./Reader.ts"

/** Which page of a period a list shows: from and to, in epoch milliseconds, belong to it. */
export interface PageQuery {
  readonly from: number
  readonly to: number
  readonly page: number
  readonly pageSize: number
}

/** Which payments a list shows. */
export interface PaymentsQuery extends PageQuery {
  readonly txid?: Txid
  /** Only payments that have a return of any status (`devolucaoPresente`). */
  readonly isReturned?: true
}

/** The query of a page of any list. */
export const pageQuery = ({ from, to, page, pageSize }: PageQuery): Record<string, string> => ({
  inicio: instantText(from),
  fim: instantText(to),
  "paginacao.paginaAtual": String(page),
  "paginacao.itensPorPagina": String(pageSize),
})

/** The query of the list of payments. */
export const paymentsQuery = (query: PaymentsQuery): Record<string, string> => ({
  ...pageQuery(query),
  ...(query.txid && { txid: query.txid }),
  ...(query.isReturned && { devolucaoPresente: "true" }),
})

/** A page of a list, and what the bank counts of the list. */
export interface CountedPage {
  /** A text for each element of the page that tells it from the others, in their order, whether it can be read or not. */
  readonly marks: ReadonlyArray<string>
  /** How many pages there are; absent where the bank doesn't say. */
  readonly pages?: number
  /** How many elements there are on all pages; absent where the bank doesn't say. */
  readonly total?: number
  /** How many elements the bank says that it puts on a page; absent where it doesn't. */
  readonly size?: number
}

const Paginacao = looseStruct({
  itensPorPagina: lenient(Count),
  quantidadeDePaginas: lenient(Count),
  quantidadeTotalDeItens: lenient(Count),
})

const decodeParameters = Schema.decodeUnknownOption(looseStruct({ paginacao: lenient(Paginacao) }))

// It throws for nesting that is too deep.
const asJson = Option.liftThrowable((element: unknown) => JSON.stringify(element))

const readMark = (element: unknown, idField: string): string =>
  (Predicate.isObject(element) ? toText(element[idField]) : undefined) ?? Option.getOrElse(asJson(element), () => "")

/** Reads what a page is known by: the ids of its elements, and its counts (`parametros`). */
export const readCounts = (parametros: unknown, elements: ReadonlyArray<unknown>, idField: string): CountedPage => {
  const paginacao = Option.getOrUndefined(decodeParameters(parametros))?.paginacao
  const { quantidadeDePaginas: pages, quantidadeTotalDeItens: total, itensPorPagina: size } = paginacao ?? {}
  return {
    marks: elements.map((element) => readMark(element, idField)),
    ...(pages !== undefined && { pages }),
    ...(total !== undefined && { total }),
    ...(size !== undefined && size > 0 && { size }),
  }
}
