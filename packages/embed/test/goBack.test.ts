import { expect, it } from "vitest"
import { makeGoBack } from "../src/goBack.ts"
import { makeMovableClock } from "../src/MovableClock.ts"

it("looks for payments at each move, but for those that leave it to a later one, and in the present again", async () => {
  const clock = makeMovableClock(100_000)
  const looks: Array<readonly [at: number, looksForPayments: boolean]> = []
  const goBack = makeGoBack(clock, async (looksForPayments) => {
    looks.push([clock.currentTimeMillisUnsafe(), looksForPayments])
  })
  await goBack(1_000, async (moveTo) => {
    await moveTo(2_000)
    await moveTo(3_000, false)
    await moveTo(4_000)
  })
  expect(looks).toEqual([
    [2_000, true],
    [3_000, false],
    [4_000, true],
    [100_000, true],
  ])
})
