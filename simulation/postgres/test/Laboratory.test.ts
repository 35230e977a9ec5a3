import { afterEach, expect, it, vi } from "vitest"
import { Laboratory } from "../src/Laboratory.ts"

afterEach(() => vi.unstubAllEnvs())

it("a laboratory whose Postgres ends before it has started is not waited for", async () => {
  // Then the server's process has no place for its files, and ends.
  vi.stubEnv("TMPDIR", `${import.meta.dirname}/none`)
  await expect(Laboratory.open()).rejects.toThrow("its process ended")
})
