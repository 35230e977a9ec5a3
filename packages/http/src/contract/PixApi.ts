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
import { ChargeBody, ChargeReplyBody } from "../wire/ChargeBody.ts"
import { ErrorBody } from "../wire/Envelope.ts"
import { RefundBody, SimulationBody, StatusBody } from "../wire/StatusBody.ts"

/** The error shape at the statuses that an operation may answer; the cause is in the `Pix-Erro` header. */
const failures = (...statuses: ReadonlyArray<number>) =>
  statuses.map((status) => ErrorBody.pipe(HttpApiSchema.status(status)))

/** `Authorization: Bearer <ACCESS_TOKEN>` (interface, Authentication). */
export class PixAuthorization extends HttpApiMiddleware.Service<PixAuthorization>()(
  "@pixcharge/http/PixAuthorization",
  {
    requiredForClient: true,
    security: { bearer: HttpApiSecurity.bearer },
    error: failures(401),
  },
) {}

const chargeId = { idFaturaPag: Schema.String }

const token = HttpApiGroup.make("token").add(
  HttpApiEndpoint.get("issue", "/api/token/:segredoBase64", {
    params: { segredoBase64: Schema.String },
    success: Schema.Struct({ sucesso: Schema.Literal(true), data: Schema.String }),
    error: failures(401, 405, 500, 503),
  }),
)

const pix = HttpApiGroup.make("pix")
  .add(
    HttpApiEndpoint.post("issue", "/api/pix", {
      payload: ChargeBody,
      success: ChargeReplyBody,
      error: failures(400, 403, 405, 409, 413, 415, 500, 502, 503),
    }),
    HttpApiEndpoint.get("status", "/api/pix/:idFaturaPag", {
      params: chargeId,
      success: StatusBody,
      error: failures(400, 404, 405, 409, 410, 500, 503),
    }),
    HttpApiEndpoint.post("simulate", "/api/pix/simular-pagamento/:idFaturaPag", {
      params: chargeId,
      success: SimulationBody,
      error: failures(400, 404, 405, 409, 422, 500, 503),
    }),
    HttpApiEndpoint.delete("refund", "/api/pix/:idFaturaPag", {
      params: chargeId,
      success: [RefundBody, RefundBody.pipe(HttpApiSchema.status(202))],
      error: failures(400, 404, 405, 409, 500, 503),
    }),
  )
  .middleware(PixAuthorization)

/**
 * The whole contract as an Effect `HttpApi` value, from the very schemas that the server reads and writes: the OpenAPI
 * document (`OpenApi.fromApi(PixApi)`) and the typed client come from it.
 */
export class PixApi extends HttpApi.make("pixcharge")
  .add(token)
  .add(pix)
  .annotateMerge(OpenApi.annotations({ title: "PIX Charge Service", version: "1.0.0" })) {}
