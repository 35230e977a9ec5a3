import { DirectoryUnavailable, ProcessorRejected, ProcessorUnavailable, StoreUnavailable } from "@pixcharge/core"
import * as Redacted from "effect/Redacted"
import { expect, it } from "vitest"
import { type OperationError, retryAfterSeconds } from "../src/wire/failures.ts"

const outage = { operation: "find" }

it.each<readonly [OperationError, number | undefined]>([
  [new ProcessorUnavailable(outage), 5],
  [new ProcessorUnavailable({ ...outage, retryAfterMs: 0 }), 1],
  [new ProcessorUnavailable({ ...outage, retryAfterMs: 1_000 }), 1],
  [new ProcessorUnavailable({ ...outage, retryAfterMs: 1_001 }), 2],
  [new StoreUnavailable(outage), 1],
  [new DirectoryUnavailable(outage), 1],
  [new ProcessorRejected({ ...outage, reason: Redacted.make("no") }), undefined],
])("the caller of an operation that ended with %o should wait for %s seconds", (error, seconds) => {
  expect(retryAfterSeconds(error)).toBe(seconds)
})
