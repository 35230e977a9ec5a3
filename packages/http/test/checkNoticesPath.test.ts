import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import { checkNoticesPath, checkoutPathFlaw, noticesPathFlaw, routes } from "../src/wire/routes.ts"

for (const { method, path } of Object.values(routes)) {
  it.effect(`the processor's notices can't arrive at, above or below ${method} ${path}`, () =>
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
  it.effect(`the processor's notices may arrive at ${path}, which is no route's path nor a part of one`, () =>
    Effect.map(checkNoticesPath(path), (allowed) => expect(allowed).toBe(path)),
  )
}

test.each(["/webhooks/./pix", "/webhooks/..", "/webhooks?pix", "webhooks"])(
  "the processor's notices can't arrive at %s, which is no plain path",
  (path) => {
    expect(noticesPathFlaw(path)).toContain("must be a plain path")
  },
)

test.each(["/pagar", "/pagar/pix", "/pagar/"])(
  "the processor's notices can't arrive at %s beside payers' pages there",
  (path) => {
    expect(noticesPathFlaw(path, "/pagar")).toContain("must lie neither below /pagar nor above it")
    expect(noticesPathFlaw(path)).toBeUndefined()
  },
)

test.each(["/api/pix", "/api", "/pagar?x", "pagar", "/", "/pa gar", "/a/../b"])(
  "payers' pages can't be at %s",
  (path) => {
    expect(checkoutPathFlaw(path)).toContain("choose one like /pagar")
  },
)

test("payers' pages may be at a path of their own", () => {
  expect(checkoutPathFlaw("/pagar")).toBeUndefined()
})
