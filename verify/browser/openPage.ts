import { type BrowserContext, devices, type Page } from "playwright-core"
import { onTestFinished } from "vitest"
import { emptyClipboard } from "./clipboard.ts"
import { clipboardBrowser, sharedBrowser } from "./browsers.ts"
import { PageProblems } from "./PageProblems.ts"

export interface PageOptions {
  readonly dark?: boolean
  /** True for a Pixel 7 with touch. */
  readonly phone?: boolean
  /** False if the page must work without JavaScript. */
  readonly javaScript?: boolean
  /** The page's initial time in epoch milliseconds; `page.clock` moves it. The server has its own clock. */
  readonly clock?: number
  /**
   * Gives the page its own, empty clipboard, which `readClipboard` reads, and grants or refuses access to it. Without
   * this option the page writes to a clipboard that all tests share.
   */
  readonly clipboard?: "granted" | "refused"
  /** The problems that the test causes, as `PageProblems` reports them. The test fails if one of them doesn't occur. */
  readonly expected?: ReadonlyArray<RegExp>
}

/** Long enough for a busy machine, and shorter than a test's limit, so the failure names the awaited element. */
const timeoutMs = 120_000

const newContext = async (options: PageOptions): Promise<BrowserContext> => {
  const browser = options.clipboard === undefined ? await sharedBrowser() : await clipboardBrowser()
  const context = await browser.newContext({
    ...(options.phone === true && devices["Pixel 7"]),
    colorScheme: options.dark === true ? "dark" : "light",
    javaScriptEnabled: options.javaScript ?? true,
    locale: "pt-BR",
    // Far from Brasília, so a page that wrongly shows local time shows a different hour.
    timezoneId: "Asia/Tokyo",
    permissions: options.clipboard === "refused" ? [] : ["clipboard-write"],
  })
  if (options.clipboard !== undefined) await emptyClipboard(context)
  return context
}

/**
 * Opens a page in its own context, which closes after the test. The test fails at a console error, a script error, a
 * violation of the content security policy, a foreign or failed request, and an answer of 4xx or 5xx.
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
