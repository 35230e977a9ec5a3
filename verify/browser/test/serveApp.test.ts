import type { Exchange, Reply } from "@pixcharge/core"
import type { Responder } from "@pixcharge/http"
import { expect, it } from "vitest"
import { openPage } from "../openPage.ts"
import { bindings, serveApp } from "../serveApp.ts"

const reply = (type: string, body: Reply["body"]): Promise<Reply> =>
  Promise.resolve({ status: 200, headers: { "content-type": type }, body })

const events = () =>
  new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("data: told\n\n")),
  })

const app: Responder = {
  respond: ({ method, url }: Exchange) => {
    if (url === "/events") return reply("text/event-stream", events())
    return url === "/page" ? reply("text/html", `<title>${method} ${url}</title>`) : undefined
  },
}

it.each(bindings)("serves an app and its streams below a prefix with %s", async (binding) => {
  const { origin, close } = await serveApp(app, { prefix: "/below/it", binding })
  const page = await openPage({
    expected: [/^404 GET \/page$/, /^failed request: net::ERR_INCOMPLETE_CHUNKED_ENCODING/],
  })
  await page.goto(`${origin}/page`)
  await page.goto(`${origin}/below/it/page`)
  expect(await page.title()).toBe("GET /page")
  const first = await page.evaluate(
    () => new Promise((resolve) => new EventSource("events").addEventListener("message", ({ data }) => resolve(data))),
  )
  expect(first).toBe("told")
  const broken = page.waitForEvent("requestfailed")
  await close()
  await broken
  await expect(fetch(origin)).rejects.toThrow("fetch failed")
})
