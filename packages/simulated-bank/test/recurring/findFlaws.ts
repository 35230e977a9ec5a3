import { Ajv } from "ajv"
import type { BankExchange, SimulatedBank } from "../../src/index.ts"
import { chargeAnswers } from "../chargeDefinitions.ts"
import { answers, notices, problemBody } from "./definitions.ts"

const ajv = new Ajv({ allErrors: true, strict: false })

const findBodyFlaws = (schema: object | undefined, body: unknown, where: string): ReadonlyArray<string> => {
  if (schema === undefined) return body === undefined ? [] : [`${where}: a body where none belongs`]
  return ajv.validate(schema, body) ? [] : [`${where}: ${ajv.errorsText()} in ${JSON.stringify(body)}`]
}

/** Lists an answer's differences from the API. Skips payments and returns, which other tests check. */
export const findAnswerFlaws = ({ method, path, status, answer }: BankExchange): ReadonlyArray<string> => {
  if (path.startsWith("/pix") || path === "/oauth/token") return []
  const where = `${method} ${path} -> ${status}`
  if (status >= 400) return findBodyFlaws(problemBody, answer, where)
  const known = [...answers, ...chargeAnswers].find(([call]) => call.test(`${method} ${path}`))
  if (known === undefined) return [`${where}: no such call`]
  const [, rightStatus, schema] = known
  return [...(status === rightStatus ? [] : [`${where}: not ${rightStatus}`]), ...findBodyFlaws(schema, answer, where)]
}

export const findFlaws = ({ exchanges, webhooks }: SimulatedBank): ReadonlyArray<string> => [
  ...exchanges.flatMap(findAnswerFlaws),
  ...webhooks.sent.flatMap(({ url, body }) =>
    Object.entries(notices).flatMap(([end, schema]) => (url.endsWith(end) ? findBodyFlaws(schema, body, url) : [])),
  ),
]
