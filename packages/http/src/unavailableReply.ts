import type { Reply } from "@pixcharge/core"
import { failureReply } from "./wire/Envelope.ts"
import { operationFailures } from "./wire/messages.ts"

/** The answer while nothing can be answered, as during an outage of the database: 503, to be repeated after a second. */
export const unavailableReply: Reply = failureReply(operationFailures.StoreUnavailable, { "retry-after": "1" })
