import type { Prose } from "@pixcharge/core"
import { TaggedError } from "@pixcharge/core/internal"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { toText } from "./Reader.ts"

/**
 * The bank understood the call and refused it (`application/problem+json`, RFC 7807).
 *
 * @remedy Read why with `Redacted.value(error.reason)`.
 * @repeat No, because it would be refused again.
 */
export class PspRefusal extends TaggedError("PspRefusal")<{
  readonly status: number
  /** The last segment of `type`, like `CobVOperacaoInvalida`, or the bank's own name or code, if any. */
  readonly kind?: string
  /** The bank's explanation for people. Documents and e-mail addresses are hidden; names can't be. */
  readonly reason: Prose
  /** An earlier attempt of the call was unanswered: the bank can still execute it. */
  readonly hasUnansweredAttempt?: true
  /** A 204, an empty answer, or a 404 that can be a proxy's. No irrevocable step must follow. */
  readonly isBare?: true
}> {
  override get message(): string {
    return `The bank refused the call with status ${this.status}: Redacted.value(error.reason) says why.`
  }
}

const maxReasonLength = 300
/** Hiding tax ids can shrink a text to a sixth. This length still fills the reason, without a half-read tax id. */
const maxReadLength = 8 * maxReasonLength
/** Fewer than eleven digits, because a bank can write a payer's tax id here. */
const kindForm = /^(?!(?:\D*\d){11})[\w-]{1,100}$/
const apart = String.raw`[\s./-]{0,3}`
/**
 * Eleven or fourteen digits with any spacing; a CNPJ with letters, plain or punctuated; an e-mail address, with at most 64
 * characters before the `@` (RFC 5321).
 */
const payers = new RegExp(
  [
    String.raw`(?:\d${apart}){10}\d(?:(?:${apart}\d){3})?`,
    String.raw`[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?\d{2}`,
    String.raw`[^\s@<>"]{1,64}@[^\s@<>"]{1,100}`,
  ].join("|"),
  "g",
)

/** Documents and e-mail addresses must not reach logs or callers (decision 25). */
const hidePayers = (text: string): string => text.replace(payers, "***")

export const readRefusal = (status: number, json: unknown): PspRefusal => {
  const { kind, said } = readReason(json)
  return new PspRefusal({
    status,
    reason: Redacted.make(hidePayers(said.slice(0, maxReadLength) || `HTTP ${status}`).slice(0, maxReasonLength)),
    ...(kind !== undefined && kindForm.test(kind) && hidePayers(kind) === kind && { kind }),
  })
}

export const bareAbsence = (status: number): PspRefusal =>
  new PspRefusal({ status: 404, reason: Redacted.make(`HTTP ${status} without content`), isBare: true })

export interface Reason {
  readonly kind?: string
  readonly said: string
}

/** Field names of explanations: RFC 7807 and its `violacoes` first, then OAuth, then banks' own gateways. */
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
const envelopes = ["error", "erro", "fault"]

const maxElements = 20

type Fields = Readonly<Record<string, unknown>>

const readText = (fields: Fields, names: ReadonlyArray<string>): string | undefined =>
  names.map((name) => toText(fields[name])?.trim()).find((text) => text !== undefined && text !== "")

const readElement = (element: unknown): string => {
  if (!Predicate.isObject(element)) return toText(element)?.trim() ?? ""
  return [readText(element, places), readText(element, words)].filter(Boolean).join(": ")
}

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

/** In a body, or in the first element of its lists. */
const readCode = (body: Fields): string | undefined =>
  [body, ...lists.map((name) => readFirst(body[name]))]
    .map((one) => readText(one, codes))
    .find((code) => code !== undefined)

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
