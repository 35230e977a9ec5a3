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
  /** The last segment of `type`, like `CobVOperacaoInvalida`, or the bank's own name or code for the refusal. */
  readonly kind?: string
  /** The bank's explanation for people. Tax ids and e-mail addresses are hidden; names can't be recognised. */
  readonly reason: Prose
  /** An earlier attempt of the call was unanswered: the bank can still execute that attempt. */
  readonly hasUnansweredAttempt?: true
  /**
   * The answer was a 204, empty, or a 404 that a proxy can have sent. A step that can't be undone must not depend on
   * it.
   */
  readonly isBare?: true
}> {
  override get message(): string {
    return `The bank refused the call with status ${this.status}: Redacted.value(error.reason) says why.`
  }
}

const maxReasonLength = 300
/**
 * The explanation is cut to this length before tax ids are hidden. Hiding them can shrink it to a sixth. The reason is
 * its beginning, so half of a tax id at the cut isn't part of it.
 */
const maxReadLength = 8 * maxReasonLength
/** A kind has fewer than eleven digits: anything longer can be a payer's tax id. */
const kindForm = /^(?!(?:\D*\d){11})[\w-]{1,100}$/
const separators = String.raw`[\s./-]{0,3}`
/**
 * Matches eleven or fourteen digits with any separators, a CNPJ with letters (plain or punctuated), and an e-mail
 * address with at most 64 characters before the `@` (RFC 5321).
 */
const payers = new RegExp(
  [
    String.raw`(?:\d${separators}){10}\d(?:(?:${separators}\d){3})?`,
    String.raw`[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?\d{2}`,
    String.raw`[^\s@<>"]{1,64}@[^\s@<>"]{1,100}`,
  ].join("|"),
  "g",
)

/** They must not reach logs or callers (decision 25). */
const hidePayers = (text: string): string => text.replace(payers, "***")

export const readRefusal = (status: number, json: unknown): PspRefusal => {
  const { kind, explanation } = readReason(json)
  return new PspRefusal({
    status,
    reason: Redacted.make(
      hidePayers(explanation.slice(0, maxReadLength) || `HTTP ${status}`).slice(0, maxReasonLength),
    ),
    ...(kind !== undefined && kindForm.test(kind) && hidePayers(kind) === kind && { kind }),
  })
}

export const bareAbsence = (status: number): PspRefusal =>
  new PspRefusal({ status: 404, reason: Redacted.make(`HTTP ${status} without content`), isBare: true })

export interface Reason {
  readonly kind?: string
  readonly explanation: string
}

/** Field names of explanations, in this order: RFC 7807 and its `violacoes`, OAuth, banks' own gateways. */
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
const reasons = ["razao", "reason", "mensagem", "message", "detalhe", "detail", "descricao", "description", "texto"]
const codes = ["codigo", "code"]
const envelopes = ["error", "erro", "fault"]

const maxElements = 20

type Fields = Readonly<Record<string, unknown>>

const readText = (fields: Fields, names: ReadonlyArray<string>): string | undefined =>
  names.map((name) => toText(fields[name])?.trim()).find((text) => text !== undefined && text !== "")

const readElement = (element: unknown): string => {
  if (!Predicate.isObject(element)) return toText(element)?.trim() ?? ""
  return [readText(element, places), readText(element, reasons)].filter(Boolean).join(": ")
}

const readField = (field: unknown): ReadonlyArray<string> =>
  (Array.isArray(field) ? field.slice(0, maxElements) : [field]).map(readElement).filter(Boolean)

const readBody = (body: Fields): ReadonlyArray<string> => {
  const title = readText(body, titles)
  const listed = lists.flatMap((name) => readField(body[name]))
  const rest =
    listed.length > 0
      ? listed
      : details.map((name) => readField(body[name])).find((explanation) => explanation.length > 0)
  return [...(title === undefined ? [] : [title]), ...(rest ?? [])]
}

const readFirst = (field: unknown): Fields => {
  const [first] = Array.isArray(field) ? field : [field]
  return Predicate.isObject(first) ? { ...first } : {}
}

const readCode = (body: Fields): string | undefined =>
  [body, ...lists.map((name) => readFirst(body[name]))]
    .map((one) => readText(one, codes))
    .find((code) => code !== undefined)

export const readReason = (json: unknown): Reason => {
  if (Array.isArray(json)) return { explanation: readField(json).join("; ") }
  if (!Predicate.isObject(json)) return { explanation: "" }
  const fields: Fields = json
  const bodies = [fields, ...envelopes.map((name) => fields[name]).filter(Predicate.isObject)]
  const explanation = [...new Set(bodies.flatMap((body) => readBody(body)))].join("; ")
  const name = readText(fields, ["type"])?.split("/").at(-1) ?? readText(fields, ["nome", "error"])
  const kind = name ?? bodies.map(readCode).find((code) => code !== undefined)
  return kind === undefined ? { explanation } : { kind, explanation }
}
