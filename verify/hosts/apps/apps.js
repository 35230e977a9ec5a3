import { createAdaptorServer } from "@hono/node-server"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { checkout } from "@pixcharge/checkout"
import { consoleFor } from "@pixcharge/console"
import { createPix } from "@pixcharge/embed"
import { pixRouter } from "@pixcharge/express"
import { pixRoutes } from "@pixcharge/hono"
import { portal } from "@pixcharge/portal"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import express from "express"
import { Hono } from "hono"
import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"

const cnpj = "12345678000195"
const integratorKey = "chave-da-loja"
const company = { cnpj, name: "Loja", city: "Recife", pixKey: "loja@example.com", integratorKey, graceDays: 5 }
const rights = ["read"]

/** The header `x-user` stands for the user that a host's session would name. */
const authorize = ({ header }) =>
  header("x-user") === undefined ? undefined : { who: header("x-user"), companies: [{ cnpj }], rights }

const hosts = {
  express: (apps) => {
    const host = express()
    for (const [prefix, app] of apps) host.use(prefix, pixRouter(app))
    return createServer(host)
  },
  hono: (apps) => {
    const host = new Hono()
    for (const [prefix, app] of apps) host.route(prefix, pixRoutes(app))
    return createAdaptorServer({ fetch: host.fetch })
  },
}

/** The addresses of a page's stylesheets, scripts and icons. */
const assetsOf = (page) => [...page.matchAll(/(?:href|src)="([^"]*assets\/[^"]+)"/g)].map(([, address]) => address)

/** Loads a page and its assets. All must come from the page's origin. */
const load = async (url, headers = {}) => {
  const answer = await fetch(url, { headers })
  const page = await answer.text()
  assert.equal(answer.status, 200, `${url}: ${page}`)
  assert.match(answer.headers.get("content-security-policy"), /^default-src 'none'/)
  const assets = assetsOf(page).map((address) => new URL(address, answer.url))
  assert.ok(assets.length > 1, `${url} loads nothing`)
  for (const asset of assets) {
    const loaded = await fetch(asset)
    assert.equal(loaded.status, 200, String(asset))
    assert.match(loaded.headers.get("cache-control"), /immutable/)
    assert.notEqual(await loaded.text(), "")
  }
  return page
}

const main = async () => {
  for (const serve of Object.values(hosts)) {
    const server = serve([
      ["/payments", { respond: (exchange) => pix.respond(exchange) }],
      ["/portal", { respond: (exchange) => operators.respond(exchange) }],
      ["/", { respond: (exchange) => sandbox.respond(exchange) }],
    ])
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const origin = `http://127.0.0.1:${server.address().port}`
    const pix = createPix({
      environment: "sandbox",
      store: memoryStore(),
      companies: [company],
      processor: sandboxProcessor(),
      callbacks: callbackFetch(),
      tokens: { keys: [{ kid: "1", secret: "a secret of at least thirty-two bytes" }] },
      checkout: checkout({ url: `${origin}/payments` }),
    })
    const operators = portal(pix, { authorize })
    const sandbox = consoleFor(pix, { company, integratorKey })
    try {
      const { id, brCode } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 123_456 })
      const link = await pix.checkout.link(cnpj, id, { expiresAt: pix.clock.now() + 3_600_000 })
      assert.ok((await load(link)).includes(brCode))
      const state = await fetch(`${link}/estado`, { headers: { accept: "application/json" } })
      assert.deepEqual(
        [(await state.json()).status, state.headers.get("access-control-allow-origin")],
        ["pendente", "*"],
      )
      const code = await fetch(`${link}/qr.png`)
      assert.deepEqual([code.status, code.headers.get("content-type")], [200, "image/png"])

      assert.equal((await fetch(`${origin}/portal/`)).status, 403)
      assert.ok((await load(`${origin}/portal/${cnpj}/cobrancas/${id}`, { "x-user": "ana" })).includes(id))
      await load(`${origin}/portal/${cnpj}`, { "x-user": "ana" })

      assert.ok((await load(`${origin}/`)).includes("<form"))
    } finally {
      await pix.dispose()
      server.closeAllConnections()
      server.close()
    }
  }
}

// The process fails unless `main` ends, because Node ends a process that waits for no event, even in the middle of
// `main`.
process.exitCode = 1
main().then(() => (process.exitCode = 0))
