import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { createContext, runInContext } from "node:vm"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { expect, it } from "vitest"
import type { createClient } from "../src/index.ts"
import { openWorld } from "./world.ts"

/** The limit in docs/client.md. */
const limitBytes = 3_072

/** A browser bundle: one script that sets a global. */
const bundle = async (): Promise<string> => {
  const build = await rolldown({ input: join(import.meta.dirname, "../src/index.ts"), platform: "browser" })
  const { output } = await build.generate({ format: "iife", name: "pixcharge", minify: true })
  expect(output).toHaveLength(1)
  return output[0].code
}

/** The globals that browsers have. */
const web = {
  AbortController,
  AbortSignal,
  Error,
  TypeError,
  URL,
  atob,
  clearTimeout,
  fetch,
  setTimeout,
}

it(`compresses its bundle for browsers to less than ${limitBytes} bytes`, async () => {
  const { length } = gzipSync(await bundle())
  expect(length).toBeGreaterThan(1_000)
  expect(length).toBeLessThan(limitBytes)
})

it("works with only the globals of browsers", async () => {
  const code = await bundle()
  expect(code).not.toMatch(/node:|\brequire\(|\bimport\b|process\.|Buffer/)
  const globals = createContext({ ...web })
  runInContext(`${code}\nglobalThis.made = pixcharge`, globals)
  const loaded = globals["made"] as { readonly createClient: typeof createClient }
  const world = await openWorld()
  const { baseUrl, cnpj, key } = world
  const client = loaded.createClient({ baseUrl, cnpj, key })
  const charge = await client.issue({ id: randomUUID(), amountCents: 1990 })
  await client.simulatePayment(charge.id)
  expect(await client.waitUntilPaid(charge.id, charge)).toMatchObject({ amountCents: 1990 })
  await world.close()
})
