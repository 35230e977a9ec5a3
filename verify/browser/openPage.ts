import { type BrowserContext, devices, type Page } from "playwright-core"
import { onTestFinished } from "vitest"
import { launchBrowser, sharedBrowser } from "./browsers.ts"
import { PageProblems } from "./PageProblems.ts"

/** How a reader's browser is set. */
export interface PageOptions {
  readonly dark?: boolean
  /** A Pixel 7, with touch. */
  readonly phone?: boolean
  /** False: the page must do without. */
  readonly javaScript?: boolean
  /** What the clock of the page shows at first, in epoch milliseconds; `page.clock` moves it. The server's is another. */
  readonly clock?: number
  /**
   * The page has a clipboard, which it may write to or not; `readClipboard` reads it. A browser has one clipboard for all of
   * its pages, so that such a page gets a browser of its own.
   */
  readonly clipboard?: "granted" | "refused"
  /** What goes wrong on the page by the test's own doing, as `PageProblems` says it. The test fails if it doesn't go wrong. */
  readonly expected?: ReadonlyArray<RegExp>
}

/** Long enough for a busy machine, and shorter than the time of a test, whose failure then says what was waited for. */
const timeoutMs = 15_000

const newContext = async (options: PageOptions): Promise<BrowserContext> => {
  const browser = options.clipboard === undefined ? await sharedBrowser() : await launchBrowser()
  const context = await browser.newContext({
    ...(options.phone === true && devices["Pixel 7"]),
    colorScheme: options.dark === true ? "dark" : "light",
    javaScriptEnabled: options.javaScript ?? true,
    locale: "pt-BR",
    // Far from Brasília: a page that shows an hour of the reader's own shows another.
    timezoneId: "Asia/Tokyo",
    permissions: options.clipboard === "granted" ? ["clipboard-write"] : [],
  })
  context.once("close", () => options.clipboard !== undefined && void browser.close())
  return context
}

/**
 * A page in a context of its own. When the test has finished, it is closed, and the test fails if anything went wrong on it:
 * an error on the console or in a script, a violation of the content security policy, a request to a foreign host, or one
 * that failed or was answered with 4xx or 5xx.
 */
export const openPage = async (options: PageOptions = {}): Promise<Page> => {
  const context = await newContext(options)
  const problems = new PageProblems(context)
  onTestFinished(async () => {
    await context.close()
    problems.check(options.expected ?? [])
  })
  context.setDefaultTimeout(timeoutMs)
  if (options.clock !== undefined) await context.clock.install({ time: options.clock })
  return context.newPage()
}
