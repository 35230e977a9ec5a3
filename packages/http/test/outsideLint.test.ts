import { createConfig, lintFromString } from "@redocly/openapi-core"
import { describe, expect, it } from "vitest"
import { openApiDocument } from "../src/contract/index.ts"

const text = JSON.stringify(openApiDocument())

/** All rules of the linter that agree with the contract. */
const config = await createConfig({
  extends: ["all"],
  rules: {
    // The host names its terms and its contact.
    "info-contact": "off",
    "info-license": "off",
    // A failure has the same body on every route (docs/interface.md).
    "operation-4xx-problem-details-rfc7807": "off",
    "path-segment-plural": "off",
    // The tags have the order of an integration.
    "tags-alphabetical": "off",
    // Examples are whole bodies. Empty texts are answers too.
    "required-string-property-missing-min-length": "off",
    "scalar-property-missing-example": "off",
    "response-contains-header": { severity: "error", names: { "4xx": ["Pix-Erro"], "5xx": ["Pix-Erro"] } },
  },
})

const lint = (source: string) => lintFromString({ source, config, absoluteRef: "openapi.json" })

/** A copy of the document: `spoil` replaces the value of each example of a body. */
const withExamples = (spoil: (value: object) => unknown): string =>
  JSON.stringify(JSON.parse(text), (key, value) => (key === "value" ? spoil(value as object) : (value as unknown)))

const examplePath = /^(.*\/examples\/[^/]+)/

/** The pointers of all examples of bodies, found without the linter. */
const pointersOfExamples = (node: unknown, path = "#"): ReadonlyArray<string> =>
  typeof node !== "object" || node === null
    ? []
    : Object.entries(node).flatMap(([name, inner]) => {
        const inside = `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`
        return name === "value" ? [path] : pointersOfExamples(inner, inside)
      })

describe("the linter of Redocly", () => {
  it("finds no flaw in the OpenAPI document and its examples", async () => {
    const problems = await lint(text)
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  })

  it.each([
    ["lacks a field", (value: object) => Object.fromEntries(Object.entries(value).slice(1))],
    ["has a field of another type", (value: object) => ({ ...value, [Object.keys(value)[0] ?? ""]: ["outro"] })],
    ["has a field that the schema doesn't know", (value: object) => ({ ...value, outro: 1 })],
  ])("checks each example: it finds all of them if each %s", async (_, spoil) => {
    const found = (await lint(withExamples(spoil)))
      .filter(({ ruleId }) => ruleId === "no-invalid-media-type-examples")
      .map(({ location }) => examplePath.exec(location[0]?.pointer ?? "")?.[1])
    const all = pointersOfExamples(JSON.parse(text))
    expect(all.length).toBeGreaterThan(50)
    expect(new Set(found)).toEqual(new Set(all))
  })
})
