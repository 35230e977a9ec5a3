import { type Browser, chromium as playwright } from "playwright-core"
import { inject } from "vitest"
import { launchOptions } from "./launchOptions.ts"

let shared: Promise<Browser> | undefined

/** The Chromium of all test files; a worker's files share one connection. */
export const sharedBrowser = (): Promise<Browser> => (shared ??= playwright.connect(inject("browserEndpoint")))

export const launchBrowser = (): Promise<Browser> => playwright.launch(launchOptions(inject("chromium")))
