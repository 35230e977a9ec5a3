import { OpenApi } from "effect/http-api"
import { expect, it } from "vitest"
import { PixApi } from "../src/contract/index.ts"
import { makeRouter } from "../src/makeRouter.ts"
import { routes } from "../src/wire/routes.ts"

const { info, paths } = OpenApi.fromApi(PixApi)

const documented = Object.entries(paths).flatMap(([path, item]) =>
  Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
)

it("the OpenAPI document has exactly the server's routes", () => {
  const contractRoutes = Object.values(routes)
  const templates = contractRoutes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)$/, "{$1}")}`)
  expect(documented.toSorted()).toEqual(templates.toSorted())
  for (const { method, path } of contractRoutes) {
    expect(makeRouter()(method, path.replace(/:\w+$/, "x"))?._tag).toBe("Route")
  }
})

it("the OpenAPI document names each operation, its parameter and its need for a token", () => {
  const operations = Object.values(paths).flatMap((item) =>
    Object.values(item).map((operation) => {
      const { operationId, tags, security, parameters, requestBody } = operation as OpenApi.OpenAPISpecOperation
      return [operationId, tags, security, parameters.map(({ name }) => name), requestBody !== undefined]
    }),
  )
  const bearer = [{ bearer: [] }]
  expect(info).toMatchObject({ title: "Serviço de cobranças PIX", version: "1.0.0" })
  expect(operations).toEqual([
    ["token.issue", ["token"], [], ["segredoBase64"], false],
    ["token.issueByPost", ["token"], [], [], true],
    ["pix.issue", ["pix"], bearer, [], true],
    ["pix.status", ["pix"], bearer, ["idFaturaPag"], false],
    ["pix.refund", ["pix"], bearer, ["idFaturaPag"], false],
    ["pix.simulate", ["pix"], bearer, ["idFaturaPag"], false],
  ])
})

it("the OpenAPI document shows every failure in the error shape", () => {
  for (const item of Object.values(paths)) {
    for (const operation of Object.values(item)) {
      if (!("responses" in operation)) continue
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue
        expect(JSON.stringify(response), status).toContain("errors")
      }
    }
  }
})

it("the OpenAPI document has every status that the contract names", () => {
  const statuses = (path: string, method: "get" | "post" | "delete") =>
    Object.keys(paths[path as `/${string}`]?.[method]?.responses ?? {})
  expect(statuses("/api/pix", "post")).toEqual(expect.arrayContaining(["200", "400", "401"]))
  expect(statuses("/api/pix/{idFaturaPag}", "get")).toEqual(expect.arrayContaining(["200", "401", "410"]))
  expect(statuses("/api/pix/{idFaturaPag}", "delete")).toEqual(expect.arrayContaining(["200", "202", "409"]))
})
