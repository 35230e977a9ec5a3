import { createServer, type RequestListener } from "node:http"
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { decodeQr } from "../decodeQr.ts"
import { expectAccessible } from "../expectAccessible.ts"
import { openPage, type PageOptions } from "../openPage.ts"
import { readClipboard } from "../clipboard.ts"
import { screenshot } from "../screenshot.ts"
import { serveHost } from "../serveHost.ts"

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"

const script = `
  const of = (id) => document.getElementById(id)
  of("copy")?.addEventListener("click", async () => {
    await navigator.clipboard.writeText(of("code").textContent).catch(() => undefined)
    of("copy").textContent = "Copied"
  })
  of("hour")?.append(new Date().toISOString())
`

const writePage = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Planted</title><meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/style.css"></head><body><main><h1>Planted</h1>${body}</main><script type="module" src="/script.js"></script></body></html>`

const sent: Record<string, readonly [type: string, text: string]> = {
  "/style.css": [
    "text/css",
    "body { background: #fff; color: #222 } .pale { color: #ddd } .small { width: 12px; height: 12px; padding: 0 }",
  ],
  "/script.js": ["text/javascript", script],
}

const listener =
  (body: string): RequestListener =>
  (request, response) => {
    const url = request.url ?? ""
    if (url === "/broken") return void response.writeHead(500).end()
    if (url === "/events")
      return void response.writeHead(200, { "content-type": "text/event-stream" }).write(": open\n\n")
    const [type, text] = sent[url] ?? ["text/html", writePage(body)]
    response.writeHead(200, { "content-type": type, "content-security-policy": policy }).end(text)
  }

const serve = (body: string) => serveHost(createServer(listener(body)))

const visit = async (body: string, options?: PageOptions): Promise<Page> => {
  const { origin } = await serve(body)
  const page = await openPage(options)
  await page.goto(origin)
  return page
}

const problems: ReadonlyArray<readonly [what: string, act: (page: Page) => Promise<unknown>, said: RegExp]> = [
  ["an inline script", (page) => page.setContent(writePage("<script>1</script>")), /^CSP violation: .*inline script/],
  [
    "an inline style",
    (page) => page.evaluate(() => document.body.insertAdjacentHTML("beforeend", '<p style="color: red">')),
    /^CSP violation: .*inline style/,
  ],
  ["an error on the console", (page) => page.evaluate('console.error("planted")'), /^console error: planted$/],
  [
    "an error of a script",
    (page) =>
      page
        .evaluate(
          () =>
            void setTimeout(() => {
              throw new Error("planted")
            }),
        )
        .then(() => page.waitForTimeout(20)),
    /^page error: planted$/,
  ],
  [
    "a request to a foreign host",
    (page) => page.goto("http://elsewhere.test/pixel").catch(() => undefined),
    /^foreign request: http:\/\/elsewhere.test\/pixel$/,
  ],
  [
    "an answer of 500",
    (page) => page.evaluate(() => fetch("/broken").then(({ status }) => status)),
    /^500 GET \/broken$/,
  ],
]

it.each(problems)("accepts %s where it is expected", async (_, act, said) => {
  const page = await visit("", { expected: [said] })
  await act(page)
  expect(page.isClosed()).toBe(false)
})

it.fails.each(problems)("fails a test with %s", async (_, act) => {
  const page = await visit("")
  await act(page)
  expect(page.isClosed()).toBe(false)
})

it.fails("fails a test in which an expected problem doesn't occur", async () => {
  const page = await visit("", { expected: [/^page error/] })
  expect(await page.title()).toBe("Planted")
})

it("reports no problem for a sound page, nor for a stream that the page leaves", async () => {
  const page = await visit("<p>All is well</p>")
  await page.evaluate(() => new Promise((opened) => new EventSource("/events").addEventListener("open", opened)))
  expect(await page.title()).toBe("Planted")
})

const inaccessible: ReadonlyArray<readonly [rule: string, body: string]> = [
  ["color-contrast", '<p class="pale">Pale</p>'],
  ["label", "<input>"],
  ["image-alt", '<img src="data:,">'],
  ["target-size", '<button class="small" aria-label="a"></button><button class="small" aria-label="b"></button>'],
]

it.each(inaccessible)("axe finds a violation of %s under the strict policy", async (rule, body) => {
  const page = await visit(body, { ...(rule === "image-alt" && { expected: [/^CSP violation/] }) })
  await expect(expectAccessible(page)).rejects.toThrow(`${rule}: `)
})

it("axe accepts an accessible page", async () => {
  await expectAccessible(await visit("<label>Name <input></label>"))
})

it("opens pages in the dark, on a phone, without script and at a given time", async () => {
  const clock = Date.UTC(2026, 0, 2, 3, 4, 5)
  const page = await visit('<p id="hour"></p>', { dark: true, phone: true, clock })
  const seen = await page.evaluate(() => ({
    isDark: matchMedia("(prefers-color-scheme: dark)").matches,
    width: innerWidth,
    touch: navigator.maxTouchPoints,
    hour: document.getElementById("hour")?.textContent?.slice(0, 16),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }))
  expect(seen).toEqual({ isDark: true, width: 412, touch: 1, hour: "2026-01-02T03:04", timeZone: "Asia/Tokyo" })
  const plain = await visit('<p id="hour"></p>', { javaScript: false })
  expect(await plain.locator("#hour").textContent()).toBe("")
})

const copying = '<p id="code">code of this test</p><button id="copy">Copy</button>'

const copyAndRead = async (options: PageOptions): Promise<string> => {
  const page = await visit(copying, options)
  await page.getByRole("button").click()
  await page.getByText("Copied").waitFor()
  return readClipboard(page)
}

it("reads the text that a page copied", async () => {
  expect(await copyAndRead({ clipboard: "granted" })).toBe("code of this test")
})

it("reads no text if the page can't copy, even after a copy in another test", async () => {
  expect(await copyAndRead({ clipboard: "refused" })).toBe("")
})

it("serves an insecure context under a separate host name", async () => {
  const { insecureOrigin } = await serve("")
  const page = await openPage()
  await page.goto(insecureOrigin)
  expect(await page.evaluate(() => [isSecureContext, "clipboard" in navigator])).toEqual([false, false])
})

it("reaches only hosts of this machine", async () => {
  const page = await openPage({ expected: [/^foreign request: http:\/\/192\.0\.2\.1\//] })
  await expect(page.goto("http://192.0.2.1/")).rejects.toThrow("ERR_NAME_NOT_RESOLVED")
})

const noCode = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><path d="M0 0h30v30h-30z"/></svg>'

it("saves a picture of text, and finds no QR code in it", async () => {
  const page = await visit(`<p>Seen</p>${noCode}`)
  const blank = await screenshot(page.locator("svg"), "fixtures-drawing")
  const text = await screenshot(page.locator("p"), "fixtures-text")
  expect(text.length).toBeGreaterThan(500)
  expect(decodeQr(blank)).toBeUndefined()
})
