import { PixCharges } from "@pixcharge/core"
import { Cents, ChargeId, ChargeRequestInput } from "@pixcharge/core/schema"
import { Effect, Layer, Schema } from "effect"
import {
  HttpApi,
  HttpApiBuilder,
  HttpApiEndpoint,
  HttpApiError,
  HttpApiGroup,
  HttpApiMiddleware,
} from "effect/http-api"
import { shop } from "./pix.js"

/** An order that can't be charged, with the code and message of pixcharge's error. */
class OrderRefused extends HttpApiError.Problem<OrderRefused>()(
  "OrderRefused",
  { type: "about:blank", title: "The order was refused", status: 409 },
  { code: Schema.String },
) {}

const orders = HttpApiGroup.make("orders").add(
  HttpApiEndpoint.post("place", "/orders", {
    payload: ChargeRequestInput,
    success: Schema.Struct({ id: ChargeId, amountCents: Cents, brCode: Schema.String }),
    error: OrderRefused,
  }),
  HttpApiEndpoint.get("isPaid", "/orders/:id/paid", {
    params: { id: ChargeId },
    success: Schema.Boolean,
    error: HttpApiError.NotFound,
  }),
)

export class ShopApi extends HttpApi.make("shop").add(orders).middleware(HttpApiMiddleware.ProblemDetails) {}

const OrdersLive = HttpApiBuilder.group(
  ShopApi,
  "orders",
  Effect.fn(function* (handlers) {
    const charges = yield* PixCharges
    // These errors answer 500. The client can try again: the same id is the same charge.
    const outages = { DirectoryUnavailable: Effect.die, ProcessorUnavailable: Effect.die, StoreUnavailable: Effect.die }
    return handlers.handleAll({
      place: ({ payload }) =>
        charges
          .issue(shop, payload)
          .pipe(
            Effect.catchTags(outages, ({ code, message }) => Effect.fail(new OrderRefused({ code, detail: message }))),
          ),
      isPaid: ({ params }) =>
        charges.find(shop, params.id).pipe(
          Effect.map(({ _tag }) => _tag === "Paid"),
          Effect.catchTags({ ChargeNotFound: () => Effect.fail(new HttpApiError.NotFound()) }, Effect.die),
        ),
    })
  }),
)

/** The routes for an `HttpRouter`, with the OpenAPI document at `/openapi.json`. */
export const ShopRoutes = HttpApiBuilder.layer(ShopApi, { openapiPath: "/openapi.json" }).pipe(
  Layer.provide(OrdersLive),
  // A 400 has the errors of pixcharge's parsers for each field, and never a field's value.
  Layer.provide(HttpApiMiddleware.layerProblemDetails({ includeDetails: true })),
)
