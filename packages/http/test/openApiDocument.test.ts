import { Validator } from "@seriousme/openapi-schema-validator"
import { hash } from "node:crypto"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { openApiDocument } from "../src/contract/index.ts"
import { type RouteName, routes } from "../src/wire/routes.ts"
import { answersIn, checkAnswer, checkRequest, findOperation } from "./openApiSchemas.ts"

const folder = join(import.meta.dirname, "..")
const document = openApiDocument()
const text = JSON.stringify(document)
const routeNames = Object.keys(routes) as Array<RouteName>

describe("the OpenAPI document", () => {
  it("equals the package's file (rewrite it with pnpm openapi)", async () => {
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(join(folder, "openapi.json"))
  })

  it("equals the served text (rewrite it with pnpm openapi)", async () => {
    const tag = JSON.stringify(hash("sha256", text, "base64url").slice(0, 22))
    const lines = [
      "// Made from the contract by `pnpm openapi`: what a host serves, without loading what the document is made with.",
      `export const openApiText: string = ${JSON.stringify(text)}`,
      `export const openApiTag: string = ${JSON.stringify(tag)}`,
      "",
    ]
    await expect(lines.join("\n")).toMatchFileSnapshot(join(folder, "src/contract/openApiText.ts"))
  })

  it("is valid OpenAPI 3.1, with every reference resolved", async () => {
    const validator = new Validator()
    const result = await validator.validate(JSON.parse(text))
    expect(result.errors ?? []).toEqual([])
    expect([result.valid, validator.version]).toEqual([true, "3.1"])
  })

  it("names each schema once", () => {
    const names = Object.keys(document.components.schemas)
    expect(names.toSorted()).toEqual([
      "Cliente",
      "CobrancaEmitida",
      "CobrancaPaga",
      "Credenciais",
      "DadosDaCobranca",
      "DadosDaSimulacao",
      "DadosDoEstorno",
      "DadosDoPagamento",
      "Erro",
      "Estorno",
      "FormaPagamento",
      "PagamentoSimulado",
      "PedidoDeCobranca",
      "Token",
      "Transacao",
    ])
    expect(text.match(/"schema":\{"type":"object"/g)).toBeNull()
  })

  it("allows unknown keys in all objects, because requests can have them and answers can get new keys", () => {
    expect(text).not.toContain("additionalProperties")
  })

  it.each(routeNames)("has an example for exactly the statuses of %s, each valid for its schema", (name) => {
    const examples = answersIn(name)
    const { successes, failures } = routes[name]
    const statuses = new Set<number>([...successes, ...failures, ...(name.startsWith("token") ? [] : [401])])
    expect(new Set(examples.map(({ status }) => status))).toEqual(statuses)
    for (const { status, value } of examples) expect(checkAnswer(name, status, value)).toEqual([])
  })

  it.each(["tokenByPost", "issue"] as const)(
    "has an example of the request body of %s, valid for its schema",
    (name) => {
      const bodies = Object.values(findOperation(name).requestBody?.content["application/json"]?.examples ?? {})
      expect(bodies.length).toBeGreaterThan(0)
      for (const { value } of bodies) expect(checkRequest(name, value)).toEqual([])
    },
  )
})
