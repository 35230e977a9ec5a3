import type { Exchange } from "@pixcharge/core"
import * as Predicate from "effect/Predicate"
import { bodyRefusal, pageRefusal } from "./pageRefusal.ts"
import type { Form } from "./Route.ts"

/** The longest form of ours has a note of some thousand characters. */
const maxFormBytes = 64 * 1_024

const formMediaType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/** Each field once, as a text. Our pages never send a field twice. */
const checkForm = (fields: Iterable<readonly [string, unknown]>): Form => {
  const form = Object.create(null) as Record<string, string>
  for (const [name, value] of fields) {
    if (typeof value !== "string" || name in form) throw pageRefusal(400)
    form[name] = value
  }
  return form
}

/** Reads the fields of a form, also after the host's own parser. Throws a page refusal for any other body. */
export const readForm = async (exchange: Exchange): Promise<Form> => {
  if (!formMediaType.test((exchange.header("content-type") ?? "").trim())) throw pageRefusal(415)
  const body = await exchange.body(maxFormBytes)
  if (body._tag === "Text") return checkForm(new URLSearchParams(body.text))
  if (body._tag !== "Parsed") throw bodyRefusal(body)
  if (!Predicate.isObjectOrArray(body.value)) throw pageRefusal(400)
  return checkForm(Object.entries(body.value))
}
