import * as Predicate from "effect/Predicate"
import { toText } from "./Loose.ts"

/** Why a bank refuses a call, in its own words, from a problem of any form. */
export interface Reason {
  /** The last segment of `type`, or a name or a code that stands in its place. */
  readonly kind?: string
  /** Empty where it says nothing. */
  readonly said: string
}

/**
 * Names under which banks say what is wrong: RFC 7807 and its `violacoes` first, then OAuth, then the forms of the banks' own
 * gateways and of the years before the standard.
 */
const titles = ["title", "titulo", "nome", "error", "erro", "error_title", "faultstring"]
const details = [
  "detail",
  "detalhe",
  "details",
  "mensagem",
  "message",
  "error_description",
  "descricao",
  "description",
  "_message",
  "httpMessage",
  "moreInformation",
]
const lists = [
  "violacoes",
  "violations",
  "erros",
  "errors",
  "error_messages",
  "mensagens",
  "messages",
  "ocorrencias",
  "campos",
  "details",
  "_details",
]
const places = ["propriedade", "campo", "caminho", "parameter_name", "property", "field", "codigo", "code"]
const words = ["razao", "reason", "mensagem", "message", "detalhe", "detail", "descricao", "description", "texto"]
const codes = ["codigo", "code"]
/** Where the body itself lies one level down. */
const envelopes = ["error", "erro", "fault"]

const maxElements = 20

type Fields = Readonly<Record<string, unknown>>

const readText = (fields: Fields, names: ReadonlyArray<string>): string | undefined =>
  names.map((name) => toText(fields[name])?.trim()).find((text) => text !== undefined && text !== "")

const readElement = (element: unknown): string => {
  if (!Predicate.isObject(element)) return toText(element)?.trim() ?? ""
  return [readText(element, places), readText(element, words)].filter(Boolean).join(": ")
}

/** What a list says, or a text or an object in its place. */
const readField = (field: unknown): ReadonlyArray<string> =>
  (Array.isArray(field) ? field.slice(0, maxElements) : [field]).map(readElement).filter(Boolean)

const readBody = (body: Fields): ReadonlyArray<string> => {
  const title = readText(body, titles)
  const listed = lists.flatMap((name) => readField(body[name]))
  const rest = listed.length > 0 ? listed : details.map((name) => readField(body[name])).find((said) => said.length > 0)
  return [...(title === undefined ? [] : [title]), ...(rest ?? [])]
}

const readFirst = (field: unknown): Fields => {
  const [first] = Array.isArray(field) ? field : [field]
  return Predicate.isObject(first) ? { ...first } : {}
}

/** The code of a body, or of the first thing that it lists. */
const readCode = (body: Fields): string | undefined =>
  [body, ...lists.map((name) => readFirst(body[name]))]
    .map((one) => readText(one, codes))
    .find((code) => code !== undefined)

/** Reads why a call was refused. */
export const readReason = (json: unknown): Reason => {
  if (Array.isArray(json)) return { said: readField(json).join("; ") }
  if (!Predicate.isObject(json)) return { said: "" }
  const fields: Fields = json
  const bodies = [fields, ...envelopes.map((name) => fields[name]).filter(Predicate.isObject)]
  const said = [...new Set(bodies.flatMap((body) => readBody(body)))].join("; ")
  const name = readText(fields, ["type"])?.split("/").at(-1) ?? readText(fields, ["nome", "error"])
  const kind = name ?? bodies.map(readCode).find((code) => code !== undefined)
  return kind === undefined ? { said } : { kind, said }
}
