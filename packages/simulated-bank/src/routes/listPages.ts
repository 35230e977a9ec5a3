import type { Bank } from "../bank/Bank.ts"
import { instant } from "../ledger/apiValues.ts"
import type { BankWays } from "../wire/BankOptions.ts"
import { type BankAnswer, problem } from "../wire/BankRequest.ts"
import type { BankCall } from "./BankCall.ts"

/** Epoch milliseconds. */
interface ListPeriod {
  readonly from: number
  /** Epoch milliseconds, inclusive. */
  readonly to: number
}

export const isWithin = ({ from, to }: ListPeriod, at: number): boolean => at >= from && at <= to

const filterNames = new Set(["cpf", "cnpj", "status", "txid", "tipoCob", "idRec"])
const flagNames = new Set(["locationPresente", "txIdPresente", "devolucaoPresente", "idRecPresente"])

interface List<Item> {
  /** The problem type of refusals. */
  readonly kind: string
  /** The list's name in problems. */
  readonly resource: string
  /** The name of the answer's items. */
  readonly items: string
  readonly find: (period: ListPeriod) => ReadonlyArray<Item>
  readonly write: (item: Item) => unknown
}

const readPeriod = (
  { ways, chance }: Bank,
  query: URLSearchParams,
  { kind, resource }: Pick<List<unknown>, "kind" | "resource">,
): ListPeriod | BankAnswer => {
  const from = Date.parse(query.get("inicio") ?? "")
  const to = Date.parse(query.get("fim") ?? "")
  if (Number.isNaN(from) || Number.isNaN(to) || to < from) {
    return problem(400, kind, "inicio and fim are wrong", `${resource}.inicio`)
  }
  const invalidFlag = [...query].find(([name, value]) => flagNames.has(name) && value !== "true" && value !== "false")
  if (invalidFlag !== undefined) return problem(400, kind, "breaks the schema", `${resource}.${invalidFlag[0]}`)
  if (query.has("cpf") && query.has("cnpj")) return problem(400, kind, "cpf and cnpj are both given", "cpf")
  return ways.refusesPeriod?.(from, to, chance.now()) === true
    ? problem(400, kind, "this bank doesn't list this period", `${resource}.fim`)
    : { from, to }
}

const pageNumber = (query: URLSearchParams, name: string, whenAbsent: number): number =>
  Number(query.get(`paginacao.${name}`) ?? whenAbsent)

const countsOfPages = ({ pageCounts }: BankWays, total: number, size: number, onPage: number) => {
  const pages = Math.max(1, Math.ceil(total / size))
  switch (pageCounts) {
    case "right":
      return { quantidadeDePaginas: pages, quantidadeTotalDeItens: total }
    case "roundedDown":
      return { quantidadeDePaginas: Math.floor(total / size), quantidadeTotalDeItens: total }
    case "none":
      return { quantidadeDePaginas: 0, quantidadeTotalDeItens: 0 }
    case "ofThisPage":
      return { quantidadeDePaginas: 1, quantidadeTotalDeItens: onPage }
  }
}

/** The index of the page that a number names, from 0; undefined for a refused number. */
const pageGiven = ({ firstPage, pagesBeyond }: BankWays, number: number, pages: number): number | undefined => {
  const page = number - firstPage
  if (page >= 0 && page < pages) return page
  if (pagesBeyond === "refused") return undefined
  return pagesBeyond === "lastPage" ? Math.min(Math.max(0, page), pages - 1) : Math.max(0, page)
}

/** The filters, as the answer repeats them. */
const filtersBody = (query: URLSearchParams): object =>
  Object.fromEntries(
    [...query]
      .filter(([name]) => filterNames.has(name) || flagNames.has(name))
      .map(([name, value]) => [name, flagNames.has(name) ? value === "true" : value]),
  )

export const answerList = <Item>({ bank, query }: Pick<BankCall, "bank" | "query">, list: List<Item>): BankAnswer => {
  const { ways } = bank
  const { kind, items: name, find, write } = list
  const period = readPeriod(bank, query, list)
  if ("status" in period) return period
  const found = find(period)
  const page = pageNumber(query, "paginaAtual", 0)
  const size = Math.min(pageNumber(query, "itensPorPagina", 100), ways.pageSize)
  if (!(Number.isInteger(page) && Number.isInteger(size) && page >= 0 && size > 0))
    return problem(400, kind, "breaks the schema", "paginacao")
  const pageIndex = pageGiven(ways, page, Math.max(1, Math.ceil(found.length / size)))
  if (pageIndex === undefined) return problem(400, kind, "there is no such page", "paginacao.paginaAtual")
  const items = found.slice(pageIndex * size, (pageIndex + 1) * size)
  const paginacao = {
    paginaAtual: page,
    itensPorPagina: size,
    ...countsOfPages(ways, found.length, size, items.length),
  }
  const { from, to } = period
  return {
    status: 200,
    body: {
      parametros: { inicio: instant(from), fim: instant(to), ...filtersBody(query), paginacao },
      [name]: items.map(write),
    },
  }
}
