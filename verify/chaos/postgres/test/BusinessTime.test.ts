import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { BusinessTime } from "../BusinessTime.ts"
import { Leaps } from "../Leaps.ts"

const day = 86_400_000

/** The clocks of the world and of a host, and the leaps that they share. */
const makeClocks = () => {
  const folder = mkdtempSync(join(tmpdir(), "pixcharge-leaps-"))
  const made = Leaps.make(join(folder, "leaps"))
  const opened = Leaps.open(join(folder, "leaps"))
  const setting = { startedRealAt: Date.now(), beganAt: 0, speed: 1 }
  const [world, host] = [new BusinessTime(setting, made), new BusinessTime(setting, opened)]
  onTestFinished(() => {
    host.end()
    made.close()
    opened.close()
    rmSync(folder, { recursive: true })
  })
  return { world, host, leaps: made }
}

it("a process knows of a leap before it is told", () => {
  const { world, host, leaps } = makeClocks()
  for (const days of [1, 2]) {
    leaps.add(day)
    expect(Math.floor(host.now / day)).toBe(days)
    expect(Math.floor(world.now / day)).toBe(days)
  }
})

it("what has come due by a leap happens once it is told", () => {
  const { host, leaps } = makeClocks()
  const happened: Array<string> = []
  host.after(day, () => happened.push("tomorrow"))
  host.after(3 * day, () => happened.push("in three days"))
  leaps.add(2 * day)
  host.leapt()
  expect(happened).toEqual(["tomorrow"])
})
