import { expect, it } from "vitest"
import { failureReply, jsonReply, notFoundReply, unauthenticatedReply } from "../src/wire/Envelope.ts"
import { exchangeFailures } from "../src/wire/messages.ts"

it.each([
  ["an answer", () => jsonReply(200, {})],
  ["a failure", () => failureReply(exchangeFailures.internal)],
  ["a 401", () => unauthenticatedReply(exchangeFailures.unauthenticated)],
  ["a 404", notFoundReply],
])("keeps a host's change to the headers of %s out of other answers", (_, answer) => {
  const { headers } = answer()
  Object.assign(headers, { "set-cookie": "session=1" })
  expect(answer().headers).not.toHaveProperty("set-cookie")
  expect(jsonReply(200, {}).headers).not.toHaveProperty("set-cookie")
})
