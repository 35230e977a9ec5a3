import { type Asset, assetPath } from "@pixcharge/web"
import { once } from "node:events"
import { get, type IncomingMessage } from "node:http"
import { expect, it } from "vitest"
import { listen, mounts, serve, testApp } from "./world.ts"

const asset: Asset = { name: "portal.js", hash: "0a1b2c", type: "text/javascript; charset=utf-8", text: "let a = 1" }
const app = testApp({ assets: [asset] })

it("lets browsers cache an asset at the address that contains its hash", async () => {
  expect(assetPath(asset)).toBe("assets/portal-0a1b2c.js")
  const answer = await (await serve(app, "/p"))(`/${assetPath(asset)}`)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "content-type": asset.type,
    "content-length": "9",
    etag: '"0a1b2c"',
    "x-content-type-options": "nosniff",
  })
  expect(await answer.text()).toBe(asset.text)
})

it.each(["/assets/portal.js", "/assets/portal-ffffff.js"])(
  "lets browsers revalidate %s, which lacks this release's hash",
  async (path) => {
    const answer = await (await serve(app))(path)
    expect([answer.status, answer.headers.get("cache-control"), await answer.text()]).toEqual([
      200,
      "no-cache",
      asset.text,
    ])
  },
)

it.each(Object.entries(mounts))("answers 304 to a browser that has the asset, mounted by %s", async (_, mount) => {
  const ask = await serve(app, "/p", mount)
  const answer = await ask("/assets/portal.js", { headers: { "if-none-match": 'W/"0a1b2c"' } })
  expect([answer.status, await answer.text()]).toEqual([304, ""])
  expect((await ask("/assets/portal.js", { headers: { "if-none-match": '"0a1b2d"' } })).status).toBe(200)
})

it("leaves other methods than GET and HEAD of an asset to the host", async () => {
  expect((await (await serve(app))(`/${assetPath(asset)}`, { method: "POST", body: "" })).status).toBe(404)
})

it("answers HEAD with an asset's length", async () => {
  const answer = await (await serve(app))(`/${assetPath(asset)}`, { method: "HEAD" })
  expect([answer.status, answer.headers.get("content-length"), await answer.text()]).toEqual([200, "9", ""])
})

it.each([
  "/assets/../package.json",
  "/assets/..%2f..%2fpackage.json",
  "/assets/%2e%2e/package.json",
  "/assets//etc/passwd",
  "/assets/portal-0a1b2c.js/",
  "/assets/portal-0a1b2c.js%00.css",
  "/assets/constructor.js",
  "/assets/__proto__.js",
  "/assets/",
])("serves no file for %s", async (path) => {
  const origin = await listen(await mounts["express"]!(app, ""))
  const { hostname, port } = new URL(origin)
  // `fetch` would resolve the dots before it sends the path.
  const [answer] = (await once(get({ hostname, port, path }), "response")) as [IncomingMessage]
  answer.resume()
  expect(answer.statusCode).toBe(404)
})
