import { availableParallelism } from "node:os"
import { expect, it } from "vitest"
import { describeLimits, readOtherShare } from "../processes/describeLimits.ts"
import type { Parts, Turn } from "../processes/Turn.ts"

const cores = availableParallelism()
const second = 1e9

/** A second in which these parts used so many of its seconds. */
const aTurn = (used: Partial<Omit<Parts, "hosts">> & { readonly host?: number }): Turn => {
  const { host = 0, postgres = 0, pgbouncer = 0, load = 0, idle = 0 } = used
  const ns = { postgres, pgbouncer, load, idle }
  return {
    count: 1,
    elapsedNs: second,
    used: {
      hosts: [0.1 * second, host * second],
      ...(Object.fromEntries(Object.entries(ns).map(([name, share]) => [name, share * second])) as typeof ns),
    },
  }
}

it("what limits a turn is what was seen to be full", () => {
  const idle = cores / 2
  const machine = { idle: 0.05 * cores, postgres: 0.9 * cores - 0.1 }
  expect(describeLimits([aTurn(machine)])).toBe(`the ${cores} cores: 1 of 1`)
  expect(describeLimits([aTurn({ ...machine, idle: 0, postgres: 0.5 * cores })])).toBe(
    `the ${cores} cores, with other work: 1 of 1`,
  )
  expect(describeLimits([aTurn({ idle, host: 0.95 })])).toBe("a host's thread: 1 of 1")
  expect(describeLimits([aTurn({ idle, pgbouncer: 0.95 })])).toBe("pgbouncer's thread: 1 of 1")
  expect(describeLimits([aTurn({ idle, load: 0.95 })])).toBe("the process that asks: 1 of 1")
  expect(describeLimits([aTurn({ idle, host: 0.8 })])).toBe("nothing that was full: 1 of 1")
})

it("all that limited some turn is told, most often first", () => {
  const [host, machine] = [aTurn({ idle: cores / 2, host: 1 }), aTurn({ postgres: cores })]
  expect(describeLimits([host, machine, machine])).toBe(`the ${cores} cores: 2 of 3; a host's thread: 1 of 3`)
})

it("other work is what neither was idle nor went to a part that is measured", () => {
  const turn = aTurn({ idle: 0.25 * cores, host: 0.5 * cores - 0.2, postgres: 0.1 })
  expect(readOtherShare(turn)).toBeCloseTo(0.25)
})
