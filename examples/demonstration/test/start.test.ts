import { spawn } from "node:child_process"
import { once } from "node:events"
import { expect, it } from "vitest"

/** Runs an example's `pnpm start` script, and collects its output. */
const start = (example: string) => {
  const child = spawn(process.execPath, [`${import.meta.dirname}/../../../verify/start.mjs`, example], {
    env: { ...process.env, PORT: "0", DATABASE_URL: "memory:" },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const printed = { output: "", errors: "" }
  child.stdout.on("data", (chunk) => (printed.output += String(chunk)))
  child.stderr.on("data", (chunk) => (printed.errors += String(chunk)))
  return { child, printed }
}

it("pnpm start reports immediately that it builds, and prints a link to the console", async () => {
  const { child, printed } = start("demonstration")
  try {
    await expect.poll(() => printed.output).toMatch(/DELETE .*\n$/)
    expect(printed.errors).toMatch(
      /^Building pixcharge\. The first time takes up to half a minute\.\n(?:Still building, for \d+ s\.\n)*Built in \d+ s\. Starting\.\n(?:Still starting, for \d+ s\.\n)*Preparing the tables and the demonstration company\.\n(?:Still starting, for \d+ s\.\n)*$/,
    )
    expect(printed.output).toMatch(/^ready on (http:\/\/127\.0\.0\.1:\d+)\n[\s\S]*\nThe console.*: \1\/\n/)
  } finally {
    child.kill("SIGTERM")
    if (child.exitCode === null) await once(child, "exit")
  }
})

it("pnpm start ends with the compiler's output if it can't build", async () => {
  const { child, printed } = start("no-such-example")
  const [code] = await once(child, "close")
  expect(code).not.toBe(0)
  expect(printed.output).toContain("error TS6053")
  expect(printed.errors).not.toContain("Starting")
})
