import { readFile } from "node:fs/promises"
import type { BankExchange } from "@pixcharge/simulated-bank"
import { Ajv, type ValidateFunction } from "ajv"
import { parse } from "yaml"

type Json = { [key: string]: Json } & { [key: number]: Json } & string

/** Removes the slashes around a pattern, and anchors it. */
const correctPattern = (pattern: string): string => {
  const bare = pattern.replace(/^\/(.*)\/$/, "$1")
  return bare.startsWith("^") ? bare : `^(?:${bare})$`
}

/**
 * Changes an OpenAPI 3.0 schema for ajv: references lead to one schema, and formats, examples and texts are removed.
 */
const toAjvSchema = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toAjvSchema)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "example" && key !== "format" && key !== "title" && key !== "description")
      .map(([key, field]) => {
        if (key === "pattern" && typeof field === "string") return [key, correctPattern(field)]
        if (key === "$ref" && typeof field === "string") {
          return [key, field.replace("#/components/schemas/", "official#/definitions/")]
        }
        return [key, toAjvSchema(field)]
      }),
  )
}

/** The `required` of these schemas names properties of another level, or properties that don't exist. */
const misplaced = ["PayloadLocationCob", "DadosRecebedor", "PixConsultados", "DadosPagadorRec", "SolicRecCompleta"]

/** The right `required` of schemas whose own names fields that are never sent. */
const required = {
  RecBase: ["calendario", "vinculo"],
  SolicRecBase: ["calendario", "idRec", "destinatario"],
  PayloadLocationRecGerada: ["id", "location", "criacao"],
}

const at = (value: Json, path: ReadonlyArray<string | number>): Json =>
  path.reduce<Json>((inner, key) => inner[key as string] as Json, value)

/** Corrects known defects of the file: with them, it would reject right answers (`docs/internals/api-pix.md`). */
const correctKnownDefects = (schemas: Record<string, Json>): void => {
  const all = schemas as unknown as Json
  for (const name of misplaced) delete (schemas[name] as unknown as Record<string, unknown>)["required"]
  for (const [name, fields] of Object.entries(required)) Object.assign(schemas[name] ?? {}, { required: fields })
  // Each form of these schemas also accepts the ending that belongs to another form.
  for (const name of ["RecEncerramento", "CobRAtualizacao"]) {
    const forms = at(all, [name, "properties", "encerramento", "oneOf"]) as unknown as ReadonlyArray<Json>
    for (const form of forms) Object.assign(form, { required: Object.keys(form["properties"] ?? {}) })
  }
  // This schema demands an object for an amount, which is a string.
  delete (at(all, ["PixAutomatico", "properties", "valor"]) as unknown as Record<string, unknown>)["anyOf"]
  const received = at(all, ["Pix", "properties"]) as unknown as Record<string, unknown>
  received["txid"] = { type: "string", pattern: "^[a-zA-Z0-9]{1,35}$" }
  // Without this, a discount by days would match both forms of a `oneOf`.
  const byDate = at(all, ["CobVValor", "properties", "desconto", "oneOf", 0]) as unknown as Record<string, unknown>
  byDate["required"] = ["descontoDataFixa"]
  for (const name of ["CobGerada", "CobVGerada"]) {
    const parts = at(all, [name, "allOf"]) as unknown as ReadonlyArray<Json>
    for (const part of parts) {
      const loc = part["properties"]?.["loc"] as unknown as Record<string, unknown> | undefined
      // This schema demands a txid, but a location doesn't have one.
      if (loc !== undefined) loc["required"] = ["id", "location"]
    }
  }
}

const bodySchema = (part: Json | undefined): Json | undefined => {
  const content = part?.["content"]
  return content?.["application/json"]?.["schema"] ?? content?.["application/problem+json"]?.["schema"]
}

export const readOfficialSchemas = async (path: string) => {
  const file = parse(await readFile(path, "utf8")) as Record<string, Json>
  const components = file["components"] as unknown as Record<string, Record<string, Json>>
  const schemas = toAjvSchema(components["schemas"]) as Record<string, Json>
  correctKnownDefects(schemas)
  const ajv = new Ajv({ allErrors: true, strict: false, validateSchema: false })
  ajv.addSchema({ $id: "official", definitions: schemas })
  const compiled = new Map<string, ValidateFunction>()

  const resolve = (part: Json | undefined): Json | undefined => {
    const [, , kind = "", name = ""] = String(part?.["$ref"] ?? "").split("/")
    return part?.["$ref"] === undefined ? part : components[kind]?.[name]
  }

  const schemaFlaws = (schema: Json | undefined, value: unknown, where: string): ReadonlyArray<string> => {
    if (schema === undefined) return value === undefined ? [] : [`${where}: expected no body`]
    const key = JSON.stringify(schema)
    const validate = compiled.get(key) ?? ajv.compile(toAjvSchema(schema) as object)
    compiled.set(key, validate)
    return validate(value) ? [] : [`${where}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`]
  }

  return ({ method, path: calledPath, request, status, answer }: BankExchange): ReadonlyArray<string> => {
    const paths = file["paths"] as unknown as Record<string, Record<string, Json>>
    const template = Object.keys(paths).find(
      // These paths are for payers' apps, not for companies.
      (one) =>
        !one.includes("UrlAccessToken") && new RegExp(`^${one.replace(/\{[^}]+\}/g, "[^/]+")}$`).test(calledPath),
    )
    const operation = template === undefined ? undefined : paths[template]?.[method.toLowerCase()]
    const where = `${method} ${calledPath} -> ${status}`
    if (operation === undefined) return [`${where}: no such operation`]
    const response = resolve(operation["responses"]?.[String(status)])
    if (response === undefined) return [`${where}: no such answer`]
    return [
      ...schemaFlaws(bodySchema(resolve(operation["requestBody"])), request, `the request of ${where}`),
      ...schemaFlaws(bodySchema(response), answer, `the answer of ${where}`),
    ]
  }
}
