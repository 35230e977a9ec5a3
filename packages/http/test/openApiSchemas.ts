import { Ajv } from "ajv"
import addFormats from "ajv-formats"
import { openApiDocument } from "../src/contract/index.ts"
import { type RouteName, routes } from "../src/wire/routes.ts"

interface Media {
  readonly schema: object
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>
}

type Content = Readonly<Record<"application/json", Media>>

interface Parameter {
  readonly name: string
  readonly schema: object
}

interface Header {
  readonly required: boolean
  readonly schema: object
}

interface Operation {
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<
    Record<string, { readonly headers?: Readonly<Record<string, Header>>; readonly content: Content }>
  >
}

export interface ShownAnswer {
  readonly status: number
  readonly name: string
  readonly value: unknown
}

const document = openApiDocument()

export const findOperation = (name: RouteName): Operation => {
  const { method, path } = routes[name]
  const item = document.paths[path.replace(/:(\w+)$/, "{$1}") as `/${string}`]
  return item?.[method.toLowerCase() as "get"] as unknown as Operation
}

/** Every example of an answer that the document has for a route. */
export const answersIn = (name: RouteName): ReadonlyArray<ShownAnswer> =>
  Object.entries(findOperation(name).responses).flatMap(([status, { content }]) =>
    Object.entries(content["application/json"].examples).map(([example, { value }]) => ({
      status: Number(status),
      name: example,
      value,
    })),
  )

/** Makes a schema refuse unnamed keys, because the document must describe every key of an answer. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== "object" || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return "properties" in schema ? { ...inner, additionalProperties: false } : inner
}

const ajv = new Ajv({ strict: true, allErrors: true })
addFormats.default(ajv)
// A format of OpenAPI that ajv doesn't know. It only hides typed text.
ajv.addFormat("password", true)
ajv.addKeyword("components")
ajv.addSchema({ $id: "contract", components: closed(document.components) } as object)

/** Reads the text of a header as a number where its schema wants one. */
const coercing = new Ajv({ strict: true, coerceTypes: true })

/** The flaws of a value according to a schema of the document, without unnamed keys. */
const flaws = (schema: object | undefined, value: unknown): ReadonlyArray<string> => {
  if (schema === undefined) return ["the document has no such answer"]
  const { $ref } = schema as { readonly $ref: string }
  const validate = ajv.getSchema(`contract${$ref}`)
  if (validate === undefined) return [`the document has no ${$ref}`]
  return validate(value) === true
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

export const checkRequest = (name: RouteName, value: unknown): ReadonlyArray<string> =>
  flaws(findOperation(name).requestBody?.content["application/json"].schema, value)

export const checkAnswer = (name: RouteName, status: number, value: unknown): ReadonlyArray<string> =>
  flaws(findOperation(name).responses[status]?.content["application/json"].schema, value)

/** The declared headers that an answer lacks or that have another value. */
export const checkHeaders = (
  name: RouteName,
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, unknown>> },
): ReadonlyArray<string> =>
  Object.entries(findOperation(name).responses[status]?.headers ?? {}).flatMap(([header, { required, schema }]) => {
    const value = headers[header.toLowerCase()]
    const isRight = value === undefined ? !required : coercing.validate(schema, value) === true
    return isRight ? [] : [`${header}: ${String(value)}`]
  })
