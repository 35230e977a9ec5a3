import * as Predicate from "effect/Predicate"
import type { BankAnswer, BankRequest } from "../wire/BankRequest.ts"
import { type Fields, fields } from "../wire/json.ts"

/** Changes the standard's answer to a call. */
export type Reshape = (answer: BankAnswer, call: BankRequest) => BankAnswer

export const combine =
  (...steps: ReadonlyArray<Reshape>): Reshape =>
  (answer, call) =>
    steps.reduce((reshaped, step) => step(reshaped, call), answer)

/** Reshapes only calls with these methods and first path segments, like `GET pix`. */
export const onlyFor =
  (calls: ReadonlyArray<string>, step: Reshape): Reshape =>
  (answer, call) =>
    calls.includes(`${call.method} ${call.path.split("/")[1]}`) ? step(answer, call) : answer

/** Changes each charge in an answer with one charge or a list. */
export const withCharges =
  (change: (charge: Fields, call: BankRequest) => unknown): Reshape =>
  (answer, call) => {
    const { status, body } = answer
    if (status >= 400 || !/^\/cobv?(?:\/|$)/.test(call.path) || call.path.endsWith("/qrcode")) return answer
    const { cobs, ...list } = fields(body)
    const changed = Array.isArray(cobs)
      ? { ...list, cobs: cobs.map((charge) => change(fields(charge), call)) }
      : change(fields(body), call)
    return { ...answer, body: changed }
  }

export const withStatus =
  (from: number, to: number): Reshape =>
  (answer) =>
    answer.status === from ? { ...answer, status: to } : answer

const mapFields = (value: unknown, change: (name: string, field: unknown) => readonly [string, unknown]): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapFields(item, change))
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const [newName, changed] = change(name, field)
      return [newName, mapFields(changed, change)]
    }),
  )
}

export const rename =
  (names: Readonly<Record<string, string>>): Reshape =>
  (answer) => ({ ...answer, body: mapFields(answer.body, (name, field) => [names[name] ?? name, field]) })

const utc = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/

export const withInstants =
  (change: (at: Date) => string): Reshape =>
  (answer) => ({
    ...answer,
    body: mapFields(answer.body, (name, field) => [
      name,
      typeof field === "string" && utc.test(field) ? change(new Date(field)) : field,
    ]),
  })

/** Brasília's time written as UTC: it has been UTC-3 since 2019. */
export const wallClock = (at: Date): string => new Date(at.getTime() - 3 * 3_600_000).toISOString()

/** Writes times as Brasília's time, marked as UTC. */
export const brasiliaAsUtc: Reshape = withInstants(wallClock)

/** Writes times as Brasília's time without a zone. */
export const brasiliaWithoutZone: Reshape = withInstants((at) => wallClock(at).replace("Z", ""))

/** Names the status `nome` in the entries of a history. */
export const statusByName: Reshape = (answer) => ({
  ...answer,
  body: mapFields(answer.body, (name, field) => [
    name,
    name === "atualizacao" && Array.isArray(field)
      ? field.map(({ status, ...rest }) => ({ nome: status, ...rest }))
      : field,
  ]),
})

const numbered = new Set(["conta", "cnpj"])

/** Writes accounts and CNPJs that have only digits as numbers. */
export const documentsAsNumbers: Reshape = (answer) => ({
  ...answer,
  body: mapFields(answer.body, (name, field) => [
    name,
    numbered.has(name) && /^\d+$/.test(String(field)) ? Number(field) : field,
  ]),
})

/** Wraps the body in `data`. */
export const inData: Reshape = (answer) =>
  answer.status >= 400 || answer.body === undefined ? answer : { ...answer, body: { data: answer.body } }

const encodePart = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url")

/** Writes the body as a JWS whose signature callers can't check. */
export const signed: Reshape = (answer) =>
  answer.status >= 400
    ? answer
    : {
        ...answer,
        contentType: "application/jose",
        body: `${encodePart({ alg: "RS256", typ: "JOSE" })}.${encodePart(answer.body)}.${encodePart("signature")}`,
      }
