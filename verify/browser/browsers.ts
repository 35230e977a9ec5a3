import { type Browser, chromium as playwright } from "playwright-core"
import { inject, vi } from "vitest"
import { launchOptions } from "./launchOptions.ts"

let shared: Promise<Browser> | undefined
let withClipboard: Promise<Browser> | undefined

/** The Chromium of all test files. The files of a worker share one connection. */
export const sharedBrowser = (): Promise<Browser> => (shared ??= playwright.connect(inject("browserEndpoint")))

/** A Chromium of this worker alone, because all pages of a browser share a clipboard. It ends with the worker. */
export const clipboardBrowser = (): Promise<Browser> => {
  // Playwright repeats its clicks by this process's clock.
  if (vi.isFakeTimers()) throw new Error("a page with a clipboard of its own needs a running clock")
  return (withClipboard ??= playwright.launch(launchOptions(inject("chromium"))))
}
