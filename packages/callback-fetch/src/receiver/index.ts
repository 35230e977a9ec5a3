export type { Confirmation, ConfirmEvent, QueryOptions } from "./confirmByQuery.ts"
export {
  type HonoContext,
  type PixReceiver,
  pixReceiver,
  type ReceiverOptions,
  type ReceiverReply,
} from "./pixReceiver.ts"
export type { NodeRequest } from "./rawBody.ts"
export { memorySeenEvents, type SeenEvents } from "./SeenEvents.ts"
export { type EventRejection, type ReceivedEvent, type SignedRequest, verifyEvent } from "./verifyEvent.ts"
