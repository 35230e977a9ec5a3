import { expect, it } from "vitest"
import { soundOutcome } from "../../src/services/events/attempt.ts"

const sound = (answered: unknown) => soundOutcome(answered as never)

it("keeps only valid fields of an outcome", () => {
  const more = { status: 204, answer: "ok", other: 1 }
  expect(sound({ _tag: "Delivered", ...more })).toStrictEqual({ status: 204, answer: "ok", _tag: "Delivered" })
  expect(sound({ _tag: "Gone", ...more, reason: "gone" })).toStrictEqual({ status: 204, answer: "ok", _tag: "Gone" })
  expect(sound({ _tag: "Retry", reason: "HTTP 500", retryAfterMs: 0 })).toStrictEqual({
    _tag: "Retry",
    reason: "HTTP 500",
    retryAfterMs: 0,
  })
  expect(sound({ _tag: "Retry", retryAfterMs: 2 ** 60 })).toStrictEqual({
    _tag: "Retry",
    reason: "",
    retryAfterMs: Number.MAX_SAFE_INTEGER,
  })
  expect(sound({ _tag: "Retry", reason: "a", retryAfterMs: -1, status: 99, answer: null })).toStrictEqual({
    _tag: "Retry",
    reason: "a",
  })
})

it("keeps a kilobyte of text, with line breaks and tabs but without other control characters", () => {
  const reasonOf = (reason: unknown) => sound({ _tag: "Retry", reason })
  expect(reasonOf("a\tb\nc\u0001d\u0085e\0")).toEqual({ _tag: "Retry", reason: "a\tb\ncde\ufffd" })
  expect(reasonOf("x".repeat(1_025))).toEqual({ _tag: "Retry", reason: "x".repeat(1_024) })
  expect(sound({ _tag: "Delivered", answer: 7 })).toEqual({ _tag: "Delivered", answer: "7" })
})

it("treats any other value as a broken delivery", () => {
  for (const answered of [undefined, null, {}, { _tag: "Lost" }])
    expect(sound(answered)).toEqual({ _tag: "Retry", reason: "the delivery itself broke" })
})
