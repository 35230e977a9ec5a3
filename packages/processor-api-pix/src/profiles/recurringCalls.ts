import type { PspWays } from "../PspProfile.ts"
import type { Endpoint } from "../wire/paths.ts"

const recurringCalls: ReadonlyArray<Endpoint> = [
  "POST recurrenceLocations",
  "POST recurrences",
  "GET recurrences",
  "GET recurrence",
  "PATCH recurrence",
  "POST recurrenceRequests",
  "PUT cycle",
  "GET cycle",
  "PATCH cycle",
  "POST retry",
  "PUT recurrenceWebhook",
  "GET recurrenceWebhook",
  "DELETE recurrenceWebhook",
  "PUT cycleWebhook",
  "GET cycleWebhook",
  "DELETE cycleWebhook",
]

/** All calls of Pix Automático at another path or URL. */
export const recurringAt = (root: string): PspWays["apiPaths"] =>
  Object.fromEntries(recurringCalls.map((call) => [call, root]))
