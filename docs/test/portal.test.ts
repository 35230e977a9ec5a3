import { expect, it } from "vitest"
import { maxRunMs, runPage, shownIn } from "./runPage.ts"

const page = "docs/portal.md"

const pix = `
import { createPix } from "@pixcharge/embed"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"

export const pix = createPix({
  environment: "sandbox",
  store: memoryStore(),
  directory: memoryDirectory({ companies: [] }),
  processor: sandboxProcessor(),
  callbacks: callbackFetch(),
  tokens: { keys: [{ kid: "1", secret: "for this trial: 32 bytes or more" }] },
})
`

it("the programs of the portal's page admit the host's users", { timeout: maxRunMs + 20_000 }, async () => {
  const { exitCode, printed, complaints } = await runPage(page, { files: { "pix.js": pix } })
  expect({ printed, complaints }).toEqual({ printed: shownIn(page), complaints: "" })
  expect(exitCode).toBe(0)
})
