import { action, page, type PortalRoute } from "../../frame/PortalRoute.ts"
import { deliveryList, momentField } from "./deliveryList.ts"
import { deliveryPage } from "./deliveryPage.ts"
import { replay, replayPage } from "./replayPages.ts"

const section = "deliveries"

/** Events: what was sent, how it went, and sending it again. */
export const deliveryRoutes: ReadonlyArray<PortalRoute> = [
  page("/eventos", { section }, deliveryList),
  page("/eventos/reenviar", { section, right: "events" }, replayPage),
  action("/eventos/reenviar", { section, right: "events" }, replay),
  page("/eventos/:eventId/:endpointId", { section }, deliveryPage),
  action("/eventos/:eventId/:endpointId/reenviar", { section, right: "events" }, async (view, form) => {
    const { eventId, endpointId } = view.params
    const sent = await view.as.events.replay(view.company, { eventId, endpointId })
    const names = [eventId, endpointId].map((name) => encodeURIComponent(name)).join("/")
    const moment = new URLSearchParams({ [momentField]: form[momentField] ?? "" })
    return { to: `/eventos/${names}?${String(moment)}`, notice: sent === 0 ? "eventNotResent" : "eventResent" }
  }),
]
