import type { Responder } from "@pixcharge/http"
import { get, type PageRequest, post, securityHeaders, webApp } from "@pixcharge/web"
import { createServer, request } from "node:http"
import { inspect } from "node:util"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { canary, makeExchange, failurePage, listen, mounts, serve, shown, testApp } from "./world.ts"

const { express } = mounts

describe.each(Object.entries(mounts))("an app mounted by %s", (_, mount) => {
  it.each(["", "/loja/portal"])("serves its pages below %j, with each page's path to its root", async (prefix) => {
    const ask = await serve(testApp(), prefix, mount)
    const rows = [
      ["/", "./", "home"],
      ["/?a=1", "./", "home"],
      ["/charges", "./", "charges of all"],
      ["/charges?of=a%20b", "./", "charges of a b"],
      ["/charges/new", "../", "new"],
      ["/charges/7", "../", "charge 7"],
      ["/charges/caf%C3%A9%2F%3Cb%3E", "../", "charge café/&lt;b&gt;"],
      ["/charges/7/parts/8", "../../../", "7 8"],
    ]
    for (const [path = "", root, text] of rows) {
      expect(await shown(await ask(path))).toEqual({ status: 200, root, text })
    }
  })

  it("redirects its mount to a trailing slash, because its links are relative", async () => {
    const ask = await serve(testApp(), "/loja/portal", mount)
    const moved = await ask("?of=1")
    expect([moved.status, moved.headers.get("location"), await moved.text()]).toEqual([308, "./portal/?of=1", ""])
    expect((await shown(await ask("", { redirect: "follow" }))).text).toBe("home")
  })

  it("leaves other paths to the host", async () => {
    const ask = await serve(testApp(), "/loja/portal", mount)
    for (const path of ["/other", "/charges/", "/charges//7", "/charges/7/", "/assets/", "/Charges"]) {
      const answer = await ask(path)
      expect([path, answer.status]).toEqual([path, 404])
      expect(answer.headers.get("content-security-policy")).not.toBe(securityHeaders["content-security-policy"])
    }
  })

  it("shows its failure page for paths that it owns", async () => {
    const ask = await serve(testApp({ owns: (path) => path.startsWith("/charges/") }), "/loja/portal", mount)
    const lost = await ask("/charges/7/none")
    expect([lost.status, lost.headers.get("content-security-policy")]).toEqual([
      404,
      securityHeaders["content-security-policy"],
    ])
    expect((await ask("/charges/7/none", { method: "POST" })).status).toBe(404)
    expect((await ask("/other")).headers.get("content-security-policy")).not.toBe(
      securityHeaders["content-security-policy"],
    )
  })

  it("matches no parameter of more than 256 characters", async () => {
    const ask = await serve(testApp(), "/p", mount)
    expect((await ask(`/charges/${"7".repeat(200)}`)).status).toBe(200)
    for (const text of ["7".repeat(15_000), "%41".repeat(5_000), "7".repeat(257)]) {
      const answer = await ask(`/charges/${text}`)
      expect(answer.status).toBe(404)
      expect(answer.headers.get("content-security-policy")).not.toBe(securityHeaders["content-security-policy"])
    }
  })

  it("answers HEAD like GET, without the body", async () => {
    const answer = await (await serve(testApp(), "/p", mount))("/charges", { method: "HEAD" })
    expect([answer.status, await answer.text()]).toEqual([200, ""])
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8")
  })

  it.each([
    ["PUT", "/charges/7", "GET, HEAD, POST"],
    ["DELETE", "/charges/new", "GET, HEAD, POST"],
    ["POST", "/charges", "GET, HEAD"],
    ["GET", "/done", "POST"],
    ["DELETE", "/", "GET, HEAD"],
  ])("rejects %s of %s with 405", async (method, path, allow) => {
    const answer = await (await serve(testApp(), "/p", mount))(path, { method })
    expect(answer.headers.get("allow")).toBe(allow)
    expect((await shown(answer)).text).toBe("failed with 405")
  })

  it("rejects HEAD of a form's target with 405", async () => {
    const answer = await (await serve(testApp(), "/p", mount))("/done", { method: "HEAD" })
    expect([answer.status, answer.headers.get("allow"), await answer.text()]).toEqual([405, "POST", ""])
  })

  it("adds security headers to every answer", async () => {
    const ask = await serve(testApp({ logError: () => undefined }), "/p", mount)
    const large = { method: "POST", body: new URLSearchParams({ note: "x".repeat(70_000) }) }
    const asset = (await (await ask("/")).text()).match(/assets\/tokens[^"]+/)?.[0] ?? ""
    const answers: ReadonlyArray<readonly [number, Response]> = [
      [200, await ask("/")],
      [308, await ask("")],
      [200, await ask(`/${asset}`)],
      [405, await ask("/charges", { method: "POST" })],
      [413, await ask("/charges/7", large)],
      [415, await ask("/charges/7", { method: "POST", body: "{}" })],
      [500, await ask("/broken")],
    ]
    for (const [status, answer] of answers) {
      const names = Object.keys(securityHeaders)
      const sent = Object.fromEntries(names.map((name) => [name, answer.headers.get(name)]))
      expect([answer.status, sent]).toEqual([status, securityHeaders])
    }
  })
})

it("works behind a proxy that replaces a prefix", async () => {
  const backend = new URL(await listen(await express!(testApp(), "/app")))
  const proxy = createServer((incoming, answer) => {
    const path = incoming.url?.replace(/^\/shop\/pay/, "/app") ?? ""
    const backendRequest = request(
      { host: backend.hostname, port: backend.port, path, method: incoming.method },
      (response) => {
        answer.writeHead(response.statusCode ?? 0, response.headers)
        response.pipe(answer)
      },
    )
    incoming.pipe(backendRequest)
  })
  const origin = await listen(proxy)
  const page = await fetch(`${origin}/shop/pay/charges/7/parts/8`)
  const style = /href="([^"]+\.css)"/.exec(await page.text())?.[1] ?? ""
  const styleReply = await fetch(new URL(style, page.url))
  expect([styleReply.status, styleReply.headers.get("content-type")]).toEqual([200, "text/css; charset=utf-8"])
  expect(styleReply.url).toMatch(/\/shop\/pay\/assets\/tokens-/)
  const home = await shown(await fetch(new URL("../../../", page.url)))
  expect(home.text).toBe("home")
})

it.each([
  ["/v1:portal", "./v1:portal/"],
  ["//evil.example", "./evil.example/"],
  ["/javascript:alert(1)?of=//x", "./javascript:alert(1)/?of=//x"],
])("redirects the mount %s to an address of the same site", async (fullUrl, location) => {
  const reply = await testApp().respond(makeExchange("GET", "/", fullUrl))
  expect(reply?.headers["location"]).toBe(location)
})

it.each(["/charges/%", "/charges/%c3", "/charges/%/parts/8", "/charges/7/parts/%"])(
  "answers 404 for %s, which can't be decoded",
  async (path) => {
    expect((await (await serve(testApp()))(path)).status).toBe(404)
  },
)

const answerBody = async (app: Responder, method: string, path: string): Promise<unknown> =>
  (await app.respond(makeExchange(method, path)))?.body

const echo =
  (name: string) =>
  ({ params }: PageRequest) => ({
    status: 200,
    headers: {},
    body: [name, ...Object.values<string>(params)].join(" "),
  })

it.each([
  ["/charges/:id", "charge :id"],
  ["/charges/*", "charge *"],
  ["/charges/{a}", "charge {a}"],
  ["/charges/__proto__", "charge __proto__"],
  ["/charges/:id/parts/:id", "part :id :id"],
  ["/charges/:id/parts/8", "part :id 8"],
  ["/:id", undefined],
  ["/*", undefined],
  ["/__proto__", undefined],
  ["/constructor", undefined],
])("takes special characters in %s literally", async (path, text) => {
  const app = webApp({
    failurePage,
    routes: [get("/charges/:id", echo("charge")), get("/charges/:id/parts/:part", echo("part"))],
  })
  expect(await answerBody(app, "GET", path)).toBe(text)
})

it("lets the first matching route answer", async () => {
  const app = webApp({
    failurePage,
    routes: [
      get("/early/:id", echo("by id")),
      get("/early/new", echo("hidden")),
      get("/late/new", echo("new")),
      post("/late/:id", echo("posted")),
      get("/late/:id", echo("by id")),
      get("/:of/", echo("with a slash")),
    ],
  })
  expect(await answerBody(app, "GET", "/early/new")).toBe("by id new")
  expect(await answerBody(app, "GET", "/late/new")).toBe("new")
  expect(await answerBody(app, "POST", "/late/new")).toBe("posted new")
  expect(await answerBody(app, "GET", "/late/7")).toBe("by id 7")
  expect(await answerBody(app, "GET", "/early/")).toBe("with a slash early")
  expect(await answerBody(app, "GET", "/early")).toBeUndefined()
})

it("has pages only below its base", async () => {
  const app = testApp({ base: "/pagar" })
  const ask = await serve(app, "/v1")
  expect(await shown(await ask("/pagar/charges/7"))).toEqual({ status: 200, root: "../", text: "charge 7" })
  expect(await shown(await ask("/pagar/charges"))).toMatchObject({ status: 200, root: "./" })
  for (const path of ["/charges", "/pagar", "/pagarx/charges", "/"]) expect((await ask(path)).status).toBe(404)
})

it("doesn't redirect an app with a base if the host removed the trailing slash", async () => {
  const reply = await testApp({ base: "/pagar" }).respond(makeExchange("GET", "/pagar/", "/v1/pagar"))
  expect(reply?.status).toBe(200)
})

it("leaves OPTIONS to the host", () => {
  expect(testApp().respond(makeExchange("OPTIONS", "/charges"))).toBeUndefined()
})

describe("an error in a handler", () => {
  it.each(["/broken", "/later"])("is answered 500 and logged with its page: %s", async (path) => {
    const logged: Array<unknown> = []
    const ask = await serve(testApp({ logError: (...line) => void logged.push(line) }))
    const answer = await ask(path)
    const text = await answer.text()
    expect(text).toContain("failed with 500")
    expect(text).not.toContain(canary)
    expect(logged).toEqual([[expect.any(TypeError), path]])
  })

  it("is logged by its class and page, without its message", async () => {
    const lines: Array<string> = []
    const log = vi.spyOn(console, "log").mockImplementation((...parts) => void lines.push(inspect(parts, { depth: 9 })))
    onTestFinished(() => log.mockRestore())
    await (
      await serve(testApp())
    )("/broken")
    await expect.poll(() => lines.join("")).toContain("A page could not be made: /broken")
    expect(lines.join("")).toContain("TypeError")
    expect(lines.join("")).not.toContain(canary)
  })

  it("isn't logged if the app knows it", async () => {
    const logged: Array<unknown> = []
    const app = testApp({
      logError: (error) => void logged.push(error),
      errorPage: (error, { exchange, root }) =>
        error instanceof TypeError
          ? failurePage({ status: 400 }, { exchange, root } as { readonly root: string })
          : undefined,
    })
    expect((await shown(await (await serve(app))("/broken"))).text).toBe("failed with 400")
    expect(logged).toEqual([])
  })
})

it("prefers a reply's header to the app's", async () => {
  const answer = await (await serve(testApp()))("/open")
  expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin")
})
