import { expect, it } from "vitest"
import { findNodeFlaw } from "../src/checkOptions.ts"

it.each([
  ["18.20.4", true],
  ["20.18.3", true],
  ["20.19.0", false],
  ["22.1.0", false],
  ["26.0.0-nightly", false],
  [undefined, false],
] as const)("judges whether Node %s is too old: %s", (version, isOld) => {
  const sentence = `it needs Node 20.19 or newer, and this is ${version}: update Node`
  expect(findNodeFlaw(version)).toBe(isOld ? sentence : undefined)
})
