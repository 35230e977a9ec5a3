import * as Schema from "effect/Schema"
import {
  HttpApi,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSchema,
  HttpApiSecurity,
  OpenApi,
} from "effect/http-api"
import { type RouteName, routes } from "../wire/routes.ts"
import { ChargeBody, ChargeReplyBody } from "../wire/schemas/ChargeBody.ts"
import { ErrorBody } from "../wire/schemas/ErrorBody.ts"
import { RefundBody, SimulationBody, StatusBody } from "../wire/schemas/StatusBody.ts"
import { CredentialsBody, TokenBody } from "../wire/schemas/TokenBody.ts"
import { apiTexts, describeDocument, tagTexts } from "./apiTexts.ts"
import { describeOperation } from "./describeOperation.ts"

const atStatuses = <S extends Schema.Top>(body: S, statuses: ReadonlyArray<number>) =>
  statuses.map((status) => body.pipe(HttpApiSchema.status(status)))

/** `Authorization: Bearer <ACCESS_TOKEN>` (docs/interface.md, Authentication). */
export class PixAuthorization extends HttpApiMiddleware.Service<PixAuthorization>()(
  "@pixcharge/http/PixAuthorization",
  {
    requiredForClient: true,
    security: { bearer: HttpApiSecurity.bearer },
    error: atStatuses(ErrorBody, [401]),
  },
) {}

const chargeId = { idFaturaPag: Schema.String }

const { token, tokenByPost, issue, status, simulate, refund } = routes

const declareAnswers = <S extends Schema.Top>(
  success: S,
  { successes, failures }: { readonly successes: ReadonlyArray<number>; readonly failures: ReadonlyArray<number> },
) => ({ success: atStatuses(success, successes), error: atStatuses(ErrorBody, failures) })

const describe = (name: RouteName) => OpenApi.annotations({ transform: describeOperation(name) })

const tokenGroup = HttpApiGroup.make("token")
  .add(
    HttpApiEndpoint.make(token.method)("issue", token.path, {
      params: { segredoBase64: Schema.String },
      ...declareAnswers(TokenBody, token),
    }).annotateMerge(describe("token")),
    HttpApiEndpoint.make(tokenByPost.method)("issueByPost", tokenByPost.path, {
      payload: CredentialsBody,
      ...declareAnswers(TokenBody, tokenByPost),
    }).annotateMerge(describe("tokenByPost")),
  )
  .annotateMerge(OpenApi.annotations({ description: tagTexts.token }))

const pixGroup = HttpApiGroup.make("pix")
  .add(
    HttpApiEndpoint.make(issue.method)("issue", issue.path, {
      payload: ChargeBody,
      ...declareAnswers(ChargeReplyBody, issue),
    }).annotateMerge(describe("issue")),
    HttpApiEndpoint.make(status.method)("status", status.path, {
      params: chargeId,
      ...declareAnswers(StatusBody, status),
    }).annotateMerge(describe("status")),
    HttpApiEndpoint.make(simulate.method)("simulate", simulate.path, {
      params: chargeId,
      ...declareAnswers(SimulationBody, simulate),
    }).annotateMerge(describe("simulate")),
    HttpApiEndpoint.make(refund.method)("refund", refund.path, {
      params: chargeId,
      ...declareAnswers(RefundBody, refund),
    }).annotateMerge(describe("refund")),
  )
  .middleware(PixAuthorization)
  .annotateMerge(OpenApi.annotations({ description: tagTexts.pix }))

/**
 * The whole contract as an Effect `HttpApi`, made from the server's schemas. `openApiDocument` and Effect's typed client are
 * made from it.
 */
export class PixApi extends HttpApi.make("pixcharge")
  .add(tokenGroup)
  .add(pixGroup)
  .annotateMerge(
    OpenApi.annotations({
      title: apiTexts.title,
      description: apiTexts.description,
      version: "1.0.0",
      transform: describeDocument,
    }),
  ) {}

/** Rules that only the document states. The server checks them in its own code, because its answers name the field. */
const rules: ReadonlySet<string> = new Set(["minimum", "maximum", "minLength", "maxLength", "pattern"])

/**
 * The contract as an OpenAPI 3.1 document, with named schemas, Portuguese texts and an example of every answer.
 *
 * The package contains it as `openapi.json`, and a host can serve it. Its only server is relative to the document's address.
 */
export const openApiDocument = (): OpenApi.OpenAPISpec =>
  OpenApi.fromApi(PixApi, { includeAnnotationKey: (key) => rules.has(key) })
