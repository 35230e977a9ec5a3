import { type BrowserContext, devices, type Page } from "playwright-core"
import { onTestFinished } from "vitest"
import { emptyClipboard } from "./clipboard.ts"
import { clipboardBrowser, sharedBrowser } from "./browsers.ts"
import { PageProblems } from "./PageProblems.ts"

export interface PageOptions {
  readonly dark?: boolean
  /** A Pixel 7, with touch. */
  readonly phone?: boolean
  /** False if the page must work without JavaScript. */
  readonly javaScript?: boolean
  /** The page's initial time in epoch milliseconds; `page.clock` moves it. The server has its own clock. */
  readonly clock?: number
  /**
   * Whether the page can write to its own clipboard, which is empty at first; `readClipboard` reads it. Without this option the
   * page writes to a clipboard that all tests share.
   */
  readonly clipboard?: "granted" | "refused"
  /** Problems that the test causes, as `PageProblems` reports them. The test fails if one doesn't occur. */
  readonly expected?: ReadonlyArray<RegExp>
}

/** Enough for a busy machine, and shorter than a test's limit, so the failure names the awaited element. */
const timeoutMs = 120_000

const newContext = async (options: PageOptions): Promise<BrowserContext> => {
  const browser = options.clipboard === undefined ? await sharedBrowser() : await clipboardBrowser()
  const context = await browser.newContext({
    ...(options.phone === true && devices["Pixel 7"]),
    colorScheme: options.dark === true ? "dark" : "light",
    javaScriptEnabled: options.javaScript ?? true,
    locale: "pt-BR",
    // Far from Brasília, so a page that shows the reader's local hour shows a different one.
    timezoneId: "Asia/Tokyo",
    permissions: options.clipboard === "refused" ? [] : ["clipboard-write"],
  })
  if (options.clipboard !== undefined) await emptyClipboard(context)
  return context
}

/**
 * A page in its own context, which closes after the test. The test fails on console errors, script errors, violations of the
 * content security policy, foreign or failed requests, and a 4xx or 5xx.
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
