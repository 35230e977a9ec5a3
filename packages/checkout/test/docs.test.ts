import { isPixError, type Pix } from "@pixcharge/embed"
import { testPix } from "@pixcharge/testing"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import * as packageExports from "../src/index.ts"

const page = readFileSync(join(import.meta.dirname, "../../../docs/checkout.md"), "utf8")

/** Turns the first TypeScript block below a heading into JavaScript that sets its constants on `exported`. */
const snippetBelow = (heading: string): string => {
  const [, code = ""] = /^```ts\n(.*?)^```$/ms.exec(page.slice(page.indexOf(`\n${heading}\n`))) ?? []
  return code
    .replaceAll(/^import .*$/gm, "")
    .replaceAll(/^declare .*$/gm, "")
    .replaceAll(/: ExpiredCharge\b/g, "")
    .replaceAll(/^(?:export )?const (\w+) =/gm, "const $1 = exported.$1 =")
}

const AsyncFunction = (async () => undefined).constructor as new (
  ...parts: ReadonlyArray<string>
) => (exported: object, pix: Pix, checkout: typeof packageExports.checkout) => Promise<void>

const run = async <A>(heading: string, pix: Pix): Promise<A> => {
  const exported = {}
  await new AsyncFunction("exported", "pix", "checkout", snippetBelow(heading))(exported, pix, packageExports.checkout)
  return exported as A
}

it("opens a page by the documented link, and shows another charge after the documented renewal", async () => {
  const later: { pix?: Pix } = {}
  const pixOfPage = new Proxy({} as Pix, { get: (_, name) => Reflect.get(later.pix ?? {}, name) })
  const { pages } = await run<{ pages: ReturnType<typeof packageExports.checkout> }>("### A new code", pixOfPage)
  await using pix = testPix({ checkout: pages })
  later.pix = pix
  const id = "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c"
  await pix.issue(pix.company.cnpj, { id, amountCents: 1990 })
  const { link } = await run<{ link: string }>("## Link", pix)
  const path = link.slice("https://shop.example/payments".length)
  const answer = await pix.fetch(new Request(`https://shop.example${path}`))
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain("R$ 19,90")
  await pix.expire(id)
  const novo = new URL(`https://shop.example${path}/novo`)
  const renewed = await pix.fetch(new Request(novo, { method: "POST" }))
  expect(renewed.status).toBe(303)
  const next = new URL(renewed.headers.get("location") ?? "", novo)
  expect(next.pathname).not.toBe(path)
  expect(await (await pix.fetch(new Request(next))).text()).toContain("R$ 19,90")
  const error: unknown = await pix.checkout
    .link(pix.company.cnpj, id, { expiresAt: 0 })
    .catch((caught: unknown) => caught)
  expect(isPixError(error, "InvalidLink")).toBe(true)
})
