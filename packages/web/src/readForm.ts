import type { Exchange } from "@pixcharge/core"
import { bodyRefusal, pageRefusal } from "./pageRefusal.ts"
import type { Form } from "./Route.ts"

/** No form of ours is longer than a note of some thousand characters. */
const longestFormBytes = 64 * 1_024

const formMediaType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/** Each field once, as a text: a field that comes twice is none that our pages send. */
const checkedForm = (fields: Iterable<readonly [string, unknown]>): Form => {
  const form = Object.create(null) as Record<string, string>
  for (const [name, value] of fields) {
    if (typeof value !== "string" || name in form) throw pageRefusal(400)
    form[name] = value
  }
  return form
}

/** The fields of a form, also when the host's own parser read it before. Throws a page refusal for anything else. */
export const readForm = async (exchange: Exchange): Promise<Form> => {
  if (!formMediaType.test((exchange.header("content-type") ?? "").trim())) throw pageRefusal(415)
  const body = await exchange.body(longestFormBytes)
  if (body._tag === "Text") return checkedForm(new URLSearchParams(body.text))
  if (body._tag !== "Parsed") throw bodyRefusal(body)
  if (typeof body.value !== "object" || body.value === null) throw pageRefusal(400)
  return checkedForm(Object.entries(body.value))
}
