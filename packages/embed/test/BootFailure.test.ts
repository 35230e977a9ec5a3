import { inspect } from "node:util"
import { expect, it } from "vitest"
import { bootFailureFrom } from "../src/instance/BootFailure.ts"

it.each(["postgres://pix:canary@db/pix", "postgres://pix:canary/canary@db/pix", "postgres://pix:a@canary@db/pix"])(
  "shows no password of a URL that another library's error quotes: %s",
  (url) => {
    const failure = bootFailureFrom(new Error(`connect ECONNREFUSED ${url}`))
    expect(failure.message).toBe("pixcharge could not start: connect ECONNREFUSED postgres://***@db/pix")
    expect(inspect(failure)).not.toContain("canary")
  },
)
