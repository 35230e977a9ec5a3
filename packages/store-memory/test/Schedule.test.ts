import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeSchedule } from "../src/Schedule.ts"

interface Turn {
  at: number
}

type Step = readonly ["set", number, number] | readonly ["delete", number] | readonly ["next"]

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constant("set" as const), fc.nat({ max: 19 }), fc.nat({ max: 30 })),
  fc.tuple(fc.constant("delete" as const), fc.nat({ max: 19 })),
  fc.tuple(fc.constant("next" as const)),
)

describe("a schedule", () => {
  it("gives turns in their order, whatever was put in, moved or taken out before", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300, size: "max" }), (steps) => {
        const things = Array.from({ length: 20 }, (): Turn => ({ at: 0 }))
        const schedule = makeSchedule<Turn>((a, b) => a.at < b.at)
        const inside = new Set<Turn>()
        for (const [what, which = 0, at = 0] of steps) {
          const thing = things[which] as Turn
          if (what === "set") {
            thing.at = at
            schedule.set(thing)
            inside.add(thing)
          }
          const gone = what === "next" ? schedule.peek() : thing
          if (what !== "set" && gone !== undefined) {
            schedule.delete(gone)
            inside.delete(gone)
          }
          expect(schedule.size()).toBe(inside.size)
          expect(schedule.has(thing)).toBe(inside.has(thing))
          const earliest = Math.min(...[...inside].map((one) => one.at))
          expect(schedule.peek()?.at ?? Infinity).toBe(earliest)
        }
      }),
      { numRuns: 300 },
    )
  })
})
