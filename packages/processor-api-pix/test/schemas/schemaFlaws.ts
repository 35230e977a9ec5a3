import type { SimulatedBank, BankExchange } from "@pixcharge/simulated-bank"
import { Ajv } from "ajv"
import { type DefinitionName, definitions, operations } from "./definitions.ts"
import { recurringOperations } from "./recurringOperations.ts"

const ajv = new Ajv({ allErrors: true, strict: false, schemas: [{ $id: "api-pix", definitions }] })

const schemaFlaws = (name: DefinitionName | undefined, value: unknown, where: string): ReadonlyArray<string> => {
  if (name === undefined) return value === undefined ? [] : [`${where}: expected no body`]
  if (ajv.validate(`api-pix#/definitions/${name}`, value)) return []
  return [`${where} is no ${name}: ${ajv.errorsText()} in ${JSON.stringify(value)}`]
}

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/

const flawsOfQuery = ({ method, path, query }: BankExchange): ReadonlyArray<string> => {
  const fields = new URLSearchParams(query)
  if (path.startsWith("/rec/"))
    return /^(?:txid=[a-zA-Z0-9]{26,35})?$/.test(query) ? [] : [`${path} has a query: ${query}`]
  if (method === "GET" && /^\/cobv?\//.test(path))
    return /^(?:revisao=\d+)?$/.test(query) ? [] : [`${path} has a query: ${query}`]
  if (method !== "GET" || (path !== "/pix" && path !== "/rec"))
    return query === "" ? [] : [`${path} has a query: ${query}`]
  const isRight =
    instant.test(fields.get("inicio") ?? "") &&
    instant.test(fields.get("fim") ?? "") &&
    ["true", null].includes(fields.get("devolucaoPresente")) &&
    /^\d+$/.test(fields.get("paginacao.paginaAtual") ?? "") &&
    Number(fields.get("paginacao.itensPorPagina")) <= 1000
  return isRight ? [] : [`${path} has a wrong query: ${query}`]
}

/** Lists what is wrong with the call and its answer. */
export const flawsOfExchange = (exchange: BankExchange): ReadonlyArray<string> => {
  const { method, path, request, status, contentType, answer } = exchange
  const where = `${method} ${path} -> ${status}`
  const operation = [...operations, ...recurringOperations].find((one) => one.method === method && one.path.test(path))
  if (operation === undefined) return [`${where}: no such operation`]
  const refused = status >= 400
  // A refused token is answered by the bank's gateway, in its own form, not by the API.
  if (status === 401) return []
  return [
    ...schemaFlaws(operation.request, request, `the request of ${where}`),
    ...flawsOfQuery(exchange),
    ...schemaFlaws(refused ? "Problema" : operation.answer, answer, `the answer of ${where}`),
    ...(refused && contentType !== "application/problem+json" ? [`${where}: ${contentType}`] : []),
    ...(refused || status === operation.status ? [] : [`${where}: not ${operation.status}`]),
  ]
}

export const flawsOfPsp = ({ exchanges, webhooks }: SimulatedBank): ReadonlyArray<string> => [
  ...exchanges.filter(({ path }) => path !== "/oauth/token").flatMap(flawsOfExchange),
  ...webhooks.sent
    .filter(({ url }) => !/\/(?:rec|cobr)$/.test(url))
    .flatMap(({ body, url }) => schemaFlaws("Notificacao", body, `the notice to ${url}`)),
]
