import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { describe, expect, test, vi } from "vitest"
import { waitMs } from "@pixcharge/verify/postgres"
import type { SendCalls } from "../src/sql/Database.ts"
import { groupCommit } from "../src/sql/groupCommit.ts"
import { OneByOne } from "../src/sql/OneByOne.ts"
import { SqlFailure } from "../src/sql/SqlFailure.ts"

const failure = (kind: SqlFailure["kind"]) => new SqlFailure({ kind, sqlState: "", message: kind })

it.live("calls fail together if the database goes out of reach while they are sent one by one", () =>
  Effect.gen(function* () {
    const send = vi.fn<SendCalls<number, number>>(async (calls) => {
      if (calls.length > 1) throw failure("badValue")
      await new Promise((resume) => setTimeout(resume, 50))
      throw failure("lost")
    })
    const call = groupCommit("insert", send)
    const values = Array.from({ length: 100 }, (_, index) => index)
    const exits = yield* Effect.forEach(values, (value) => Effect.exit(call(value)), { concurrency: "unbounded" })
    expect(exits.every(({ _tag }) => _tag === "Failure")).toBe(true)
    expect(send.mock.calls.length).toBeLessThan(10)
  }),
)

describe("calls that are sent one by one", () => {
  const sendingBy = (send: SendCalls<number, number>) => {
    const oneByOne = new OneByOne(send)
    return (count: number) =>
      Promise.all(
        Array.from(
          { length: count },
          (_, value) =>
            new Promise((answer, fail) => {
              oneByOne.add([{ value, arrivedAt: performance.now(), answer, fail }], failure("badValue"))
            }),
        ),
      )
  }

  test("sends four calls at a time, including later calls", async () => {
    let [underWay, max] = [0, 0]
    const sending = sendingBy(async ([call]) => {
      max = Math.max(max, ++underWay)
      await waitMs(1)
      underWay--
      call?.answer(call.value)
    })
    for (let round = 0; round < 6; round++) expect(await sending(20)).toHaveLength(20)
    expect(max).toBe(4)
  })

  test("tries each call once before giving it up, even after a long wait", async () => {
    const oneByOne = new OneByOne<number, number>(async ([call]) => {
      await waitMs(300)
      call?.answer(call.value)
    })
    const long = performance.now() - 60_000
    const answers = Array.from(
      { length: 12 },
      (_, value) =>
        new Promise((answer, fail) => {
          oneByOne.add([{ value, arrivedAt: long, answer, fail }], failure("blocked"))
        }),
    )
    expect(await Promise.all(answers)).toHaveLength(12)
  })

  test("doesn't send a call again after its execution, even if the call was blocked before", async () => {
    let sent = 0
    const sending = sendingBy(async ([call]) => {
      await waitMs(1)
      if (++sent === 1) throw failure("blocked")
      call?.answer(call.value)
    })
    await sending(1)
    await waitMs(20)
    expect(sent).toBe(2)
  })
})
