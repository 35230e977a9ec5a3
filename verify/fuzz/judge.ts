import { type Answer, type Declared, declaredAnswers, isDeclared } from "@pixcharge/adapter-tests/conformance"
import { hostHeader } from "./Host.ts"
import { canary, canaryOrToken, type Tenant, tenants, listWords } from "./tenants.ts"

export interface AnsweredRequest {
  readonly method: string
  readonly path: string
  readonly tenant: Tenant | undefined
}

const ours = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
}

/** Each route of the contract, with a pattern of the requests that certainly belong to it, and with its answers. */
const rows = [...declaredAnswers].map(([name, { successes, errors }]) => ({
  pattern: new RegExp(`^${name.replace(/:\w+/, "[\\w+=-]+")}$`),
  declared: [successes, errors],
}))

const generalErrors: Declared = new Map(
  [404, 405].map((status) => [status, rows.flatMap(({ declared }) => declared[1]?.get(405) ?? [])]),
)

/** True for paths of the webhook, whose answers to banks have only a status. */
const isNotices = (path: string): boolean => /^(?:\{notices\}|\/webhooks\/api-pix)/.test(path)

const noticeStatuses: ReadonlySet<number> = new Set([200, 400, 405, 413, 415, 503])

const isOfContract = (answer: Answer, { method, path }: AnsweredRequest): boolean => {
  const own = rows.find(({ pattern }) => pattern.test(`${method} ${path}`))
  const schemas = own?.declared ?? [...rows.flatMap(({ declared }) => declared), generalErrors]
  return schemas.some((declared) => isDeclared(declared, answer))
}

/** Node's own refusal of invalid HTTP: a status without a body. */
const isNodes = ({ status, headers, text }: Answer): boolean =>
  [400, 408, 413, 417, 431].includes(status) && text === "" && headers["pix-erro"] === undefined

/** Checks the common form of our answers. The answer to a `HEAD` must have no body. */
const formFlaw = (answer: Answer, request: AnsweredRequest): string | undefined => {
  for (const [name, value] of Object.entries(ours)) {
    if (answer.headers[name] !== value) return `its ${name} is ${String(answer.headers[name])}`
  }
  const isFailure = answer.status >= 400
  if (isFailure !== /^[a-z-]+$/.test(String(answer.headers["pix-erro"] ?? ""))) return "its Pix-Erro doesn't fit"
  if (request.method === "HEAD") return answer.text === "" ? undefined : "it has a body"
  return isOfContract(answer, request) ? undefined : "the contract has no such answer"
}

const foreignWord = ({ text }: Answer, tenant: Tenant | undefined): string | undefined =>
  tenants
    .filter((other) => other !== tenant)
    .flatMap(listWords)
    .find((word) => text.includes(word))

/**
 * True if the path can be the token route's. Only the word counts, because bindings resolve dot segments differently.
 */
const isTokenPath = (path: string): boolean => path.includes("token")

export const makeJudge = () => {
  const owners = new Map<string, Tenant>()

  const isOfAnother = ({ json }: Answer, tenant: Tenant | undefined): boolean => {
    const id: unknown = json?.data?.transacaoId ?? json?.data?.response?.id
    if (typeof id !== "string" || tenant === undefined) return false
    const owner = owners.get(id) ?? tenant
    owners.set(id, owner)
    return owner !== tenant
  }

  return (answer: Answer, request: AnsweredRequest): string | undefined => {
    const { status, text, headers } = answer
    const { tenant, path } = request
    if (status >= 500 && status !== 503) return `it was answered ${status}: ${text.slice(0, 200)}`
    const word = foreignWord(answer, tenant)
    if (word !== undefined) return `the answer has a word of another tenant: ${word}`
    if (isOfAnother(answer, tenant)) return "the answer is about a charge of another tenant"
    const mayHaveToken = status === 200 && isTokenPath(path)
    const found = (mayHaveToken ? canary : canaryOrToken).exec(text)
    if (found !== null) return `the answer has a canary: ${found[0]}`
    if (headers[hostHeader] !== undefined || isNodes(answer)) return undefined
    if (isNotices(path) && text === "" && noticeStatuses.has(status)) return undefined
    const flaw = formFlaw(answer, request)
    return flaw && `the answer ${status} is not the contract's: ${flaw}`
  }
}
