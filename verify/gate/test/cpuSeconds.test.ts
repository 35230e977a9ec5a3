import { spawnSync } from "node:child_process"
import { expect, it } from "vitest"
import { cpuSeconds } from "../cpuSeconds.ts"

const busy = `
  const used = () => process.cpuUsage().user + process.cpuUsage().system
  while (used() < 500_000);`

it("the gate's processor time includes its children and their children", () => {
  const before = Number(cpuSeconds())
  const nested = `require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(busy)}])`
  spawnSync(process.execPath, ["-e", nested])
  const isKnown = process.platform === "linux"
  expect(Number(cpuSeconds()) - before > 0.4).toBe(isKnown)
})
