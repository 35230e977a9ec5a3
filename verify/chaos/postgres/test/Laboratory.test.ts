import { afterEach, expect, it, vi } from "vitest"
import { Laboratory } from "../Laboratory.ts"

afterEach(() => vi.unstubAllEnvs())

it("a laboratory whose Postgres has no place for its files is not waited for", async () => {
  vi.stubEnv("TMPDIR", `${import.meta.dirname}/none`)
  await expect(Laboratory.open()).rejects.toThrow("no such file or directory")
})
