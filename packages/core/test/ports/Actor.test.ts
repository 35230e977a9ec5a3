import { Actor, currentActor } from "@pixcharge/core"
import { ifNamed } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"

const recorded = (actor?: string) => {
  const both = Effect.all([currentActor, ifNamed("a record")])
  return Effect.runSync(actor === undefined ? both : Effect.provideService(both, Actor, actor))
}

it("records the first 200 legible characters of the actor", () => {
  expect(recorded("ana@example.com")).toEqual(["ana@example.com", "a record"])
  expect(recorded("a".repeat(201))).toEqual(["a".repeat(200), "a record"])
  expect(recorded("ana\0")).toEqual(["ana\ufffd", "a record"])
})

it("records no actor without a name", () => {
  expect([recorded(), recorded("")]).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ])
})
