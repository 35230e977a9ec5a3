import { type Asset, html, pageReply } from "@pixcharge/web"
import { expect, it } from "vitest"

const asset = (name: string): Asset => ({ name, hash: "0a1b2c", type: "text/x", text: "x" })

const page = { title: "Cobranças", lang: "pt-BR", root: "../../", body: html`<main>Olá</main>` } as const

it("makes a whole document whose links lead to the app's root", async () => {
  const reply = await pageReply({ ...page, styles: [asset("portal.css")], scripts: [asset("portal.js")] })
  expect(reply.status).toBe(200)
  const document = String(reply.body)
  expect(document).toMatch(/^<!doctype html>\s*<html lang="pt-BR">/)
  const parts = [
    '<meta charset="utf-8" />',
    '<meta name="viewport" content="width=device-width, initial-scale=1" />',
    '<meta name="color-scheme" content="light dark" />',
    "<title>Cobranças</title>",
    "<main>Olá</main>",
    '<link rel="stylesheet" href="../../assets/portal-0a1b2c.css" />',
    '<script type="module" src="../../assets/portal-0a1b2c.js"></script>',
  ]
  expect(parts.filter((part) => !document.includes(part))).toEqual([])
  expect(document).toMatch(/<link rel="icon" href="\.\.\/\.\.\/assets\/icon-[\da-f]+\.svg" type="image\/svg\+xml" \/>/)
  expect(document).toMatch(/<link rel="stylesheet" href="\.\.\/\.\.\/assets\/tokens-[\da-f]+\.css" \/>/)
})

it("forbids inline code and foreign content in its headers", async () => {
  const { headers } = await pageReply(page)
  expect(headers).toMatchObject({
    "content-security-policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "content-type": "text/html; charset=utf-8",
  })
})

it("escapes texts in a page's head", async () => {
  const reply = await pageReply({ ...page, title: "</title><script>1</script>", root: '"><script>' })
  expect(String(reply.body)).not.toMatch(/<script>/)
})

it("waits for promises in the page's body", async () => {
  const later = new Promise<string>((resolve) => void setTimeout(() => resolve("<Ana>"), 1))
  const body = html`<main>${later.then((name) => html`${name}`)}</main>`
  expect(String((await pageReply({ ...page, body })).body)).toContain("<main>&lt;Ana&gt;</main>")
})

it("prefers the page's status and headers to the defaults", async () => {
  const reply = await pageReply({ ...page, status: 404, headers: { "retry-after": "5" } })
  expect(reply).toMatchObject({ status: 404, headers: { "retry-after": "5", "x-content-type-options": "nosniff" } })
})
