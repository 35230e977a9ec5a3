import { action, page, type PortalRoute } from "../../frame/PortalRoute.ts"
import { deliveryList, lookAtDeliveries, deliveryPath, momentField } from "./deliveryList.ts"
import { deliveryPage, findDelivery } from "./deliveryPage.ts"
import { replay, replayPage } from "./replayPages.ts"

const section = "deliveries"

/** Events: the list, each delivery with its attempts, and replays. */
export const deliveryRoutes: ReadonlyArray<PortalRoute> = [
  page("/eventos", { section }, deliveryList, { everyMs: 3_000, look: lookAtDeliveries }),
  page("/eventos/reenviar", { section, right: "events" }, replayPage),
  action("/eventos/reenviar", { section, right: "events" }, replay),
  page("/eventos/:eventId/:endpointId", { section }, deliveryPage, { everyMs: 2_000, look: findDelivery }),
  action(
    "/eventos/:eventId/:endpointId/reenviar",
    { section, right: "events" },
    async ({ as, company, params, query }) => {
      const { eventId, endpointId } = params
      const sent = await as.events.replay(company, { eventId, endpointId })
      const event = { id: eventId, occurredAt: Number(query.get(momentField)) }
      return { to: deliveryPath({ event, endpointId }), notice: sent === 0 ? "eventNotResent" : "eventResent" }
    },
  ),
]
