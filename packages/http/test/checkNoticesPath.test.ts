import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import { checkNoticesPath, checkoutPathFlaw, noticesPathFlaw, routes } from "../src/wire/routes.ts"

for (const { method, path } of Object.values(routes)) {
  it.effect(`rejects a notices' path at, above or below ${method} ${path}`, () =>
    Effect.gen(function* () {
      const own = path.replace(/\/:\w+$/, "")
      for (const taken of [own, `${own}/`, `${own}/bank`, `${own}/bank/pix`, own.slice(0, own.lastIndexOf("/"))]) {
        const { message } = yield* Effect.flip(checkNoticesPath(taken))
        const [, named = "none"] = /must lie neither below (\/[\w/-]+) nor above it/.exec(message) ?? []
        expect(`${taken}/`.startsWith(`${named}/`) || `${named}/`.startsWith(`${taken}/`), message).toBe(true)
      }
    }),
  )
}

for (const path of ["/api/token~", "/api/pix~", "/api/tokens/bank", "/apis", "/bank/api/pix"]) {
  it.effect(`accepts the notices' path ${path}, which doesn't overlap with a route`, () =>
    Effect.map(checkNoticesPath(path), (allowed) => expect(allowed).toBe(path)),
  )
}

test.each(["/webhooks/./pix", "/webhooks/..", "/webhooks?pix", "webhooks"])(
  "rejects the notices' path %s, which isn't plain",
  (path) => {
    expect(noticesPathFlaw(path)).toContain("must be a plain path")
  },
)

test.each(["/pagar", "/pagar/pix", "/pagar/"])(
  "rejects the notices' path %s if the payers' pages are at /pagar",
  (path) => {
    expect(noticesPathFlaw(path, "/pagar")).toContain("must lie neither below /pagar nor above it")
    expect(noticesPathFlaw(path)).toBeUndefined()
  },
)

test.each(["/api/pix", "/api", "/pagar?x", "pagar", "/", "/pa gar", "/a/../b"])(
  "rejects %s for payers' pages",
  (path) => {
    expect(checkoutPathFlaw(path)).toContain("choose one like /pagar")
  },
)

test("accepts a plain path for payers' pages", () => {
  expect(checkoutPathFlaw("/pagar")).toBeUndefined()
})
