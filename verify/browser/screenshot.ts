import { join } from "node:path"
import type { Locator, Page } from "playwright-core"

/** Saves `browser/artefacts/<name>.png` and returns its bytes. */
export const screenshot = (of: Page | Locator, name: string): Promise<Uint8Array> =>
  of.screenshot({
    path: join(import.meta.dirname, "artefacts", `${name}.png`),
    animations: "disabled",
    ...("goto" in of && { fullPage: true }),
  })

/** Saves a picture of the whole page, but only in long runs, because drawing takes longer than testing. */
export const keepPicture = async (of: Page, name: string): Promise<void> => {
  if (process.env["LONG"] !== undefined) await screenshot(of, name)
}
