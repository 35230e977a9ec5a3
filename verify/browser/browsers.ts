import { type Browser, chromium as playwright } from "playwright-core"
import { inject, vi } from "vitest"
import { launchOptions } from "./launchOptions.ts"

let shared: Promise<Browser> | undefined
let withClipboard: Promise<Browser> | undefined

/** The Chromium that all test files share. The files of a worker share one connection to it. */
export const sharedBrowser = (): Promise<Browser> => (shared ??= playwright.connect(inject("browserEndpoint")))

/** A Chromium for this worker alone, because all pages of a browser share one clipboard. It ends with the worker. */
export const clipboardBrowser = (): Promise<Browser> => {
  // With a stopped clock Playwright couldn't repeat its clicks.
  if (vi.isFakeTimers()) throw new Error("a page with its own clipboard needs a running clock")
  return (withClipboard ??= playwright.launch(launchOptions(inject("chromium"))))
}
