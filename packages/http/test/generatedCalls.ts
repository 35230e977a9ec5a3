import type { Call } from "@pixcharge/adapter-tests/conformance"
import { createGeneratorSync, type JsonSchema } from "json-schema-faker"
import { openApiDocument } from "../src/contract/index.ts"
import { type RouteName, routes } from "../src/wire/routes.ts"
import { shop } from "./exampleWorld.ts"
import { findOperation } from "./openApiSchemas.ts"

type Properties = Readonly<Record<string, JsonSchema>>

interface Shape {
  readonly $ref?: string
  readonly properties?: Properties
  readonly required?: ReadonlyArray<string>
}

const { schemas } = openApiDocument().components as unknown as { readonly schemas: Readonly<Record<string, Shape>> }

/** The schema with its references resolved. */
const resolve = ({ $ref, ...shape }: Shape): Shape => {
  const named = $ref === undefined ? shape : (schemas[$ref.replace("#/components/schemas/", "")] ?? {})
  if (named.properties === undefined) return named
  const properties = Object.entries(named.properties).map(([name, inner]) => [name, resolve(inner as Shape)])
  return { ...named, properties: Object.fromEntries(properties) as Properties }
}

/** Values of the wrong type for each field of the contract, or beyond its limits. */
const wrongValues: JsonSchema = {
  enum: [null, true, [], {}, [{}], "", -1, 0, 0.001, 1e21, "\u0000", "11", "x".repeat(300)],
}

/** Copies of the schema that differ in one property, at any depth: it is absent although required, or can have any value. */
const broken = ({ properties = {}, required = [], ...rest }: Shape): ReadonlyArray<Shape> =>
  Object.entries(properties).flatMap(([name, inner]) => {
    const { [name]: _, ...others } = properties
    const without = { ...rest, properties: others, required: required.filter((one) => one !== name) }
    const over = (schema: JsonSchema): Shape => ({
      ...rest,
      properties: { ...properties, [name]: schema },
      required: [...new Set([...required, name])],
    })
    const inside = broken(inner as Shape).map((one) => over(one as JsonSchema))
    return [...(required.includes(name) ? [without] : []), over(wrongValues), ...inside]
  })

/** The schema with other schemas for some fields. */
const narrowed = (shape: Shape, fields: Properties): Shape => {
  const { properties } = shape
  if (properties === undefined) return shape
  const entries = Object.entries(properties).map(([name, inner]) => [
    name,
    fields[name] ?? narrowed(inner as Shape, fields),
  ])
  return { ...shape, properties: Object.fromEntries(entries) as Properties }
}

/** Several calls share an id: charges are repeated, paid and refunded. */
const ids = Array.from({ length: 12 }, (_, n) => `3f2c1b9e-8d4a-4b6f-9c2d-00000000000${n.toString(16)}`)

/** Values of sensible clients: a schema can't express the rules of these fields. */
const usual: Properties = {
  idFaturaPag: { enum: ids },
  valorPagamento: { enum: [19.9, 19.9, 19.9, 1_000, 10.91] },
  dataVencimento: { pattern: "^2027-0[1-9]-[01][1-9](T1[0-9]:[0-5][0-9]:[0-5][0-9])?$" },
  cnpj: { enum: [shop.cnpj, "12.345.678/0001-95"] },
  chave: { enum: [shop.key] },
  segredoBase64: { enum: [btoa(`${shop.cnpj}|${shop.key}`)] },
  documento: { enum: ["12345678909", "123.456.789-09", "12345678000195", "12.ABC.345/01DE-35"] },
}

/** Who calls: a company of the example world, or somebody without a valid token. */
export type Caller = "shop" | "withoutWallet" | "withAbatement" | "nobody"

/** A value that obeys all rules (`usual`), the document's schema (`asDeclared`), or a schema with one flaw (`broken`). */
interface Made {
  readonly making: "usual" | "asDeclared" | "broken"
  readonly value: unknown
}

export interface GeneratedCall {
  readonly name: RouteName
  readonly caller: Caller
  readonly parameter?: Made
  readonly body?: Made
}

const object = (properties: Properties): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
})

const times = <A>(count: number, value: A): ReadonlyArray<A> => Array.from({ length: count }, () => value)

/** Two in three values are usual ones, one in six has a flaw. */
const made = (asDeclared: Shape, usualShape: Shape, flawed: ReadonlyArray<Shape>): JsonSchema => {
  const valueOf = (making: Made["making"], anyOf: ReadonlyArray<Shape>): JsonSchema =>
    object({ making: { enum: [making] }, value: { anyOf: anyOf as Array<JsonSchema> } })
  return {
    anyOf: [
      ...times(4, valueOf("usual", [usualShape])),
      valueOf("asDeclared", [asDeclared]),
      valueOf("broken", flawed),
    ],
  }
}

const wrongParameters: JsonSchema = { enum: ["123", "%", "é/..", "\u0000", "x".repeat(300), "null"] }

/** The schema of all calls of a route, made from the document's schemas of its parameter and its body. */
const callSchema = (name: RouteName): JsonSchema => {
  const { parameters, requestBody } = findOperation(name)
  const [parameter] = parameters
  const body = requestBody && resolve(requestBody.content["application/json"].schema as Shape)
  const usualBody = body && narrowed(body, usual)
  return object({
    name: { enum: [name] },
    caller: { enum: [...times(12, "shop"), "withoutWallet", "withAbatement", "nobody"] },
    ...(parameter && {
      parameter: made(parameter.schema, usual[parameter.name] as Shape, [wrongParameters as Shape]),
    }),
    ...(body && usualBody && { body: made(body, usualBody, broken(usualBody)) }),
  })
}

const callSchemas = (Object.keys(routes) as Array<RouteName>).map(callSchema)

/** Calls that json-schema-faker makes from the OpenAPI document. */
export const generateCalls = (seed: number, count: number): ReadonlyArray<GeneratedCall> => {
  const generator = createGeneratorSync({ seed })
  return Array.from(
    { length: count },
    (_, n) => generator.generate(callSchemas[n % callSchemas.length] ?? true) as GeneratedCall,
  )
}

export const toCall = ({ name, parameter, body }: GeneratedCall): Call => ({
  method: routes[name].method,
  path: routes[name].path.replace(/:\w+$/, encodeURIComponent(String(parameter?.value))),
  ...(body && { body: JSON.stringify(body.value) }),
})
