import { OpenApi } from "effect/http-api"
import { PixApi } from "./PixApi.ts"

/** Rules of fields that the document tells and that the server checks otherwise, with answers that name the field. */
const rules: ReadonlySet<string> = new Set(["minimum", "maximum", "minLength", "maxLength", "pattern"])

/**
 * The contract as an OpenAPI 3.1 document, with named schemas, and texts in Portuguese and an example for every answer:
 * what the package has as the file `openapi.json`, and a host serves if it asks for it. Its only server is relative to the
 * address of the document itself.
 */
export const openApiDocument = (): OpenApi.OpenAPISpec =>
  OpenApi.fromApi(PixApi, { includeAnnotationKey: (key) => rules.has(key) })
