import { pixRouter } from "@pixcharge/express"
import * as contract from "@pixcharge/http/contract"
import { actors, makeSandbox, type Mounted, mountServer } from "@pixcharge/adapter-tests/conformance"
import * as effect from "effect"
import * as effectHttp from "effect/http"
import * as effectHttpApi from "effect/http-api"
import express from "express"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { SandboxPix } from "@pixcharge/embed"
import * as client from "../src/index.ts"

/** The imports of the snippets. */
const modules = {
  "@pixcharge/client": client,
  "@pixcharge/http/contract": contract,
  effect,
  "effect/http": effectHttp,
  "effect/http-api": effectHttpApi,
  express: { default: express },
}

const root = join(import.meta.dirname, "../../..")

const snippetsIn = (page: string): ReadonlyArray<string> =>
  [...readFileSync(join(root, page), "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code)

/** Turns imports into lookups, returns exports and removes types. */
const runnable = (code: string): string =>
  code
    .replaceAll(/^import (\{[^}]+\}) from ("[^"]+")$/gm, "const $1 = modules[$2]")
    .replaceAll(/^import (\w+) from ("[^"]+")$/gm, "const { default: $1 } = modules[$2]")
    .replaceAll(/^export const (\w+) =/gm, "const $1 = exported.$1 =")
    .replaceAll(/ as (const|\{[^}]+\})/g, "")

type Run = (modules: object, exported: Record<string, unknown>, console: object) => Promise<void>

const AsyncFunction = (async () => undefined).constructor as new (...parts: ReadonlyArray<string>) => Run

/** Runs a snippet, and returns the values that it prints and exports. */
const run = async (code: string) => {
  const lines: Array<string> = []
  const exported: Record<string, unknown> = {}
  const log = (...values: ReadonlyArray<unknown>): void => void lines.push(values.join(" "))
  await new AsyncFunction("modules", "exported", "console", `"use strict"\n${runnable(code)}`)(modules, exported, {
    log,
  })
  return { lines, exported }
}

describe("the documented client snippets", () => {
  let pix: SandboxPix
  let server: Mounted
  const staff: { router: unknown } = { router: undefined }

  beforeAll(async () => {
    vi.stubEnv("PIX_KEY", actors.shop.key)
    pix = await makeSandbox()
    const app = express().use("/payments", pixRouter(pix))
    app.use("/staff", (request, response, next) => (staff.router as express.Router)(request, response, next))
    server = await mountServer(createServer(app), "", false)
  })

  afterAll(async () => {
    vi.unstubAllEnvs()
    await server.close()
    await pix.dispose()
  })

  /** Replaces the address by the address of a running server. */
  const local = (code: string): string =>
    code
      .replaceAll("https://shop.example.com", server.baseUrl)
      .replaceAll('"/payments"', `"${server.baseUrl}/payments"`)
      .replaceAll('"/staff/', `"${server.baseUrl}/staff/`)

  it("run with the results that docs/client.md shows", async () => {
    const [life = "", ending = "", failure = "", route = "", browser = "", inEffect = "", ...others] =
      snippetsIn("docs/client.md").map(local)
    expect(others).toEqual([])

    const lived = await run(life)
    expect(lived.lines).toEqual([expect.stringMatching(/^000201/), expect.stringMatching(/^1990 /)])
    expect((await run(ending)).lines).toEqual(["the customer left"])
    expect((await run(failure)).lines).toEqual(["A cobrança não foi paga; não há o que estornar."])

    staff.router = (await run(route)).exported["staff"]
    const issued = await pix.issue(actors.shop.cnpj, { id: "93768cbb-479d-4da3-8899-231fd09dc551", amountCents: 1 })
    expect((await run(browser)).lines).toEqual([issued._tag.toLowerCase()])

    expect((await run(inEffect)).lines).toEqual([expect.stringMatching(/^000201/)])
  })

  it("run with the results that the package's README shows", async () => {
    const [snippet = "", ...others] = snippetsIn("packages/client/README.md").map(local)
    expect(others).toEqual([])
    const { lines } = await run(snippet)
    expect(lines).toEqual([expect.stringMatching(/^000201/), expect.stringContaining("R$ 19,90")])
  })
})
