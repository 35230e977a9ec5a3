import type { BrowserContext, Page } from "playwright-core"
import { isServed } from "./serveHost.ts"

/** True for the favicon, which browsers request by themselves. */
const isIcon = (url: string): boolean => new URL(url).pathname === "/favicon.ico"

const pathWithQuery = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** True for a request that leaves this test's servers. `data:` and `blob:` addresses stay in the browser. */
const isForeign = (url: string): boolean => !/^(?:data|blob|about):/.test(url) && !isServed(new URL(url).origin)

export class PageProblems {
  readonly #problems: Array<string> = []

  constructor(context: BrowserContext) {
    context.on("console", (message) => {
      // The failed response is reported as a response already.
      if (message.type() !== "error" || message.text().startsWith("Failed to load resource")) return
      const kind = message.text().includes("Content Security Policy") ? "CSP violation" : "console error"
      this.#problems.push(`${kind}: ${message.text()}`)
    })
    context.on("request", (request) => {
      if (isForeign(request.url())) this.#problems.push(`foreign request: ${request.url()}`)
    })
    context.on("response", (response) => {
      if (response.status() < 400 || isIcon(response.url())) return
      this.#problems.push(`${response.status()} ${response.request().method()} ${pathWithQuery(response.url())}`)
    })
    context.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? ""
      // Leaving a page or closing a stream aborts its requests.
      if (reason === "net::ERR_ABORTED" || isForeign(request.url()) || isIcon(request.url())) return
      this.#problems.push(`failed request: ${reason} ${request.method()} ${pathWithQuery(request.url())}`)
    })
    context.on("page", (page) => this.#watch(page))
  }

  #watch(page: Page): void {
    page.on("pageerror", (error) => this.#problems.push(`page error: ${error.message}`))
    page.on("crash", () => this.#problems.push("the page crashed"))
  }

  check(expected: ReadonlyArray<RegExp>): void {
    const unexpected = this.#problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)))
    const missing = expected.filter((pattern) => !this.#problems.some((problem) => pattern.test(problem)))
    if (unexpected.length > 0) throw new Error(`On the pages of this test:\n${unexpected.join("\n")}`)
    if (missing.length > 0)
      throw new Error(`The pages of this test didn't have the expected problem ${missing.join(" or ")}`)
  }
}
