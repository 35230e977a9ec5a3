import type { Txid } from "@pixcharge/core/charges"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { instantText } from "./Instant.ts"
import { Count, lenient, looseStruct, toText } from "./Reader.ts"

/** `from` and `to` are inclusive, in epoch milliseconds. */
export interface PageQuery {
  readonly from: number
  readonly to: number
  readonly page: number
  readonly pageSize: number
}

export interface PaymentsQuery extends PageQuery {
  readonly txid?: Txid
  /** Lists only payments that have a return, in any status (`devolucaoPresente`). */
  readonly isReturned?: true
}

export const pageQuery = ({ from, to, page, pageSize }: PageQuery): Record<string, string> => ({
  inicio: instantText(from),
  fim: instantText(to),
  "paginacao.paginaAtual": String(page),
  "paginacao.itensPorPagina": String(pageSize),
})

export const paymentsQuery = (query: PaymentsQuery): Record<string, string> => ({
  ...pageQuery(query),
  ...(query.txid && { txid: query.txid }),
  ...(query.isReturned && { devolucaoPresente: "true" }),
})

export interface CountedPage {
  /** A distinct string for each element, in order. Unreadable elements have one, too. */
  readonly marks: ReadonlyArray<string>
  readonly pages?: number
  readonly total?: number
  readonly size?: number
}

const Paginacao = looseStruct({
  itensPorPagina: lenient(Count),
  quantidadeDePaginas: lenient(Count),
  quantidadeTotalDeItens: lenient(Count),
})

const decodeParameters = Schema.decodeUnknownOption(looseStruct({ paginacao: lenient(Paginacao) }))

// `JSON.stringify` throws if the element is nested too deeply.
const asJson = Option.liftThrowable((element: unknown) => JSON.stringify(element))

const readMark = (element: unknown, idField: string): string =>
  (Predicate.isObject(element) ? toText(element[idField]) : undefined) ?? Option.getOrElse(asJson(element), () => "")

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
