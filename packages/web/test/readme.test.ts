import { fetchHandler } from "@pixcharge/http"
import { formatsFor, get, html, type HtmlChild, pageReply, post, webApp } from "@pixcharge/web"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

// The code of the README's snippet.

const { reais } = formatsFor("en")
const page = (root: string, title: string, content: HtmlChild, status = 200) =>
  pageReply({ root, title, lang: "en", status, body: html`<main class="page page-narrow">${content}</main>` })

const app = webApp({
  routes: [
    get("/", ({ root }) => page(root, "Prices", html`<a href="${root}prices/tea">Tea</a>`)),
    get("/prices/:name", ({ root, params }) => page(root, "Price", `${params.name}: ${reais(1_990)}`)),
    post("/prices/:name", async ({ root, params, form }) => {
      const { note = "" } = await form()
      return page(root, "Noted", `${params.name}: ${note}`)
    }),
  ],
  failurePage: ({ status }, { root }) => page(root, "Not possible", `Error ${status}`, status),
})

const handler = { fetch: fetchHandler(app, "/shop") }

const ask = async (path: string, init?: RequestInit) => {
  const answer = await handler.fetch(new Request(new URL(path, "https://shop.example"), init))
  return { status: answer.status, main: /<main[^>]*>\s*(.*?)\s*<\/main>/s.exec(await answer.text())?.[1] }
}

it("runs the README's app as described", async () => {
  expect(await ask("/shop/")).toEqual({ status: 200, main: '<a href="./prices/tea">Tea</a>' })
  expect(await ask("/shop/prices/tea")).toEqual({ status: 200, main: "tea: R$ 19.90" })
  const body = new URLSearchParams({ note: "<hot>" })
  expect(await ask("/shop/prices/tea", { method: "POST", body })).toEqual({ status: 200, main: "tea: &lt;hot&gt;" })
  expect(await ask("/shop/prices/tea", { method: "POST", body: "{}" })).toEqual({ status: 415, main: "Error 415" })
})

it("contains every line of the README's snippet", () => {
  const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8")
  const [, snippet = ""] = /^```ts\n(.*?)^```$/ms.exec(readme) ?? []
  const lines = snippet
    .split("\n")
    .map((line) => line.replace(/^export (?=const)/, "").replace("export default", "const handler ="))
  const own = new Set(readFileSync(import.meta.filename, "utf8").split("\n"))
  expect(lines.filter((line) => !own.has(line))).toEqual([])
  expect(lines.length).toBeGreaterThan(20)
})
