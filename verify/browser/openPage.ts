import { type BrowserContext, devices, type Page } from "playwright-core"
import { onTestFinished } from "vitest"
import { emptyClipboard } from "./clipboard.ts"
import { clipboardBrowser, sharedBrowser } from "./browsers.ts"
import { PageProblems } from "./PageProblems.ts"

export interface PageOptions {
  readonly dark?: boolean
  /** A Pixel 7, with touch. */
  readonly phone?: boolean
  /** False: the page must work without. */
  readonly javaScript?: boolean
  /** The page's initial time, in epoch milliseconds; `page.clock` moves it. The server has its own clock. */
  readonly clock?: number
  /**
   * The page has a clipboard, empty at first, and may or may not write to it; `readClipboard` reads it. No test of another
   * worker shares it. Without this option the page may write to a clipboard that all tests share.
   */
  readonly clipboard?: "granted" | "refused"
  /** Problems that the test itself causes, as `PageProblems` reports them. The test fails if they don't occur. */
  readonly expected?: ReadonlyArray<RegExp>
}

/** Enough for a busy machine, and shorter than a test's time limit, so that the failure says what was awaited. */
const timeoutMs = 120_000

const newContext = async (options: PageOptions): Promise<BrowserContext> => {
  const browser = options.clipboard === undefined ? await sharedBrowser() : await clipboardBrowser()
  const context = await browser.newContext({
    ...(options.phone === true && devices["Pixel 7"]),
    colorScheme: options.dark === true ? "dark" : "light",
    javaScriptEnabled: options.javaScript ?? true,
    locale: "pt-BR",
    // Far from Brasília: a page that shows the reader's local hour shows a different one.
    timezoneId: "Asia/Tokyo",
    permissions: options.clipboard === "refused" ? [] : ["clipboard-write"],
  })
  if (options.clipboard !== undefined) await emptyClipboard(context)
  return context
}

/**
 * A page in a context of its own. It is closed after the test, which fails if anything went wrong: an error on the
 * console or in a script, a violation of the content security policy, a request to a foreign host, a failed request, or
 * a 4xx or 5xx.
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
