import { join } from "node:path"
import type { Locator, Page } from "playwright-core"

/** Keeps a picture of a page, or of a part of it, as `browser/artefacts/<name>.png`, for people to look at; answers its bytes. */
export const screenshot = (of: Page | Locator, name: string): Promise<Uint8Array> =>
  of.screenshot({
    path: join(import.meta.dirname, "artefacts", `${name}.png`),
    animations: "disabled",
    ...("goto" in of && { fullPage: true }),
  })
