import { type Answer, type Declared, declaredAnswers, isDeclared } from "@pixcharge/testkit/conformance"
import { hostHeader } from "./Host.ts"
import { canary, canaryOrToken, type Tenant, tenants, listWords } from "./tenants.ts"

/** A request as far as its answer depends on it. */
export interface Asked {
  readonly method: string
  /** Below the mount. */
  readonly path: string
  /** Whose token it shows. */
  readonly tenant: Tenant | undefined
}

const ours = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
}

/** Each route of the contract: the requests that are certainly its own, and what it answers. */
const rows = [...declaredAnswers].map(([name, { successes, errors }]) => ({
  pattern: new RegExp(`^${name.replace(/:\w+/, "[\\w+=-]+")}$`),
  declared: [successes, errors],
}))

/** What is answered under a path of ours that has no such route or method. */
const generalErrors: Declared = new Map(
  [404, 405].map((status) => [status, rows.flatMap(({ declared }) => declared[1]?.get(405) ?? [])]),
)

/** The webhook answers banks, by statuses alone. */
const isNotices = (path: string): boolean => /^(?:\{notices\}|\/webhooks\/api-pix)/.test(path)

const noticeStatuses: ReadonlySet<number> = new Set([200, 400, 405, 413, 415, 503])

const isOfContract = (answer: Answer, { method, path }: Asked): boolean => {
  const own = rows.find(({ pattern }) => pattern.test(`${method} ${path}`))
  const schemas = own?.declared ?? [...rows.flatMap(({ declared }) => declared), generalErrors]
  return schemas.some((declared) => isDeclared(declared, answer))
}

/** Node's own refusal of what is no HTTP: a status, and no body. */
const isNodes = ({ status, headers, text }: Answer): boolean =>
  [400, 408, 413, 417, 431].includes(status) && text === "" && headers["pix-erro"] === undefined

/** An answer of ours in the form that all have; `HEAD` gets no body. */
const formFlaw = (answer: Answer, asked: Asked): string | undefined => {
  for (const [name, value] of Object.entries(ours)) {
    if (answer.headers[name] !== value) return `its ${name} is ${String(answer.headers[name])}`
  }
  const isFailure = answer.status >= 400
  if (isFailure !== /^[a-z-]+$/.test(String(answer.headers["pix-erro"] ?? ""))) return "its Pix-Erro doesn't fit"
  if (asked.method === "HEAD") return answer.text === "" ? undefined : "it has a body"
  return isOfContract(answer, asked) ? undefined : "the contract has no such answer"
}

const foreignWord = ({ text }: Answer, tenant: Tenant | undefined): string | undefined =>
  tenants
    .filter((other) => other !== tenant)
    .flatMap(listWords)
    .find((word) => text.includes(word))

/** Bindings read dot segments and the like in their own ways: the word is enough. */
const isTokenPath = (path: string): boolean => path.includes("token")

/** Judges the answers of one run, which know what belongs to whom. */
export const makeJudge = () => {
  /** Whose each charge is, by the id of its transaction. */
  const owners = new Map<string, Tenant>()

  const isOfAnother = ({ json }: Answer, tenant: Tenant | undefined): boolean => {
    const id: unknown = json?.data?.transacaoId ?? json?.data?.response?.id
    if (typeof id !== "string" || tenant === undefined) return false
    const owner = owners.get(id) ?? tenant
    owners.set(id, owner)
    return owner !== tenant
  }

  /** What is wrong with an answer; undefined if nothing is. */
  return (answer: Answer, asked: Asked): string | undefined => {
    const { status, text, headers } = answer
    const { tenant, path } = asked
    if (status >= 500 && status !== 503) return `it was answered ${status}: ${text.slice(0, 200)}`
    const word = foreignWord(answer, tenant)
    if (word !== undefined) return `the answer has a word of another tenant: ${word}`
    if (isOfAnother(answer, tenant)) return "the answer is about a charge of another tenant"
    const mayHaveToken = status === 200 && isTokenPath(path)
    const found = (mayHaveToken ? canary : canaryOrToken).exec(text)
    if (found !== null) return `the answer has a canary: ${found[0]}`
    if (headers[hostHeader] !== undefined || isNodes(answer)) return undefined
    if (isNotices(path) && text === "" && noticeStatuses.has(status)) return undefined
    const flaw = formFlaw(answer, asked)
    return flaw && `the answer ${status} is not the contract's: ${flaw}`
  }
}
