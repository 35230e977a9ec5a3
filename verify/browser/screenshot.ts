import { join } from "node:path"
import type { Locator, Page } from "playwright-core"

/** Keeps a picture of a page, or of a part of it, as `browser/artefacts/<name>.png`; answers its bytes. */
export const screenshot = (of: Page | Locator, name: string): Promise<Uint8Array> =>
  of.screenshot({
    path: join(import.meta.dirname, "artefacts", `${name}.png`),
    animations: "disabled",
    ...("goto" in of && { fullPage: true }),
  })

/** Keeps a picture for people to look at, in the long runs: to draw whole pages takes longer than to test them. */
export const keepPicture = async (of: Page, name: string): Promise<void> => {
  if (process.env["LONG"] !== undefined) await screenshot(of, name)
}
