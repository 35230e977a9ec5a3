import { parseCallbackSecret } from "@pixcharge/core/directory"
import { expect, it } from "vitest"
import { isSigned, sign } from "../src/signature.ts"

/** The test vector that Standard Webhooks publishes. */
const published = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  content: { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: '{"test": 2432232314}' },
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}

it("makes the signature of the test vector that Standard Webhooks publishes", () => {
  const { secret, content, signature } = published
  const key = parseCallbackSecret(secret) ?? new Uint8Array()
  expect(sign(content, key)).toBe(signature)
  expect(isSigned(content, signature, [key])).toBe(true)
  expect(isSigned({ ...content, timestamp: content.timestamp + 1 }, signature, [key])).toBe(false)
})
