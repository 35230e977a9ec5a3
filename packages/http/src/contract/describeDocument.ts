import * as Predicate from "effect/Predicate"
import { apiTexts } from "../wire/apiTexts.ts"

const openObjects = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(openObjects)
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => name !== "additionalProperties" || inner !== false)
      .map(([name, inner]) => [name, openObjects(inner)]),
  )
}

/**
 * Opens every object, for unknown keys of requests are ignored (decision 5) and answers may get new ones; and names the
 * server by the document's own address, which is the mount's and `/api/openapi.json`.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the type of Effect's annotation
export const describeDocument = ({ components, ...document }: Record<string, any>): Record<string, any> => ({
  ...document,
  servers: [{ url: "..", description: apiTexts.server }],
  components: {
    schemas: openObjects(components.schemas),
    securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: apiTexts.bearer } },
  },
})
