import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Database } from "./Database.ts"
import { placesOn } from "./openServer.ts"

/** The database dies with its host. The next host takes over its folder. */
export const openEmbedded = (): Database => {
  const folder = mkdtempSync(join(tmpdir(), "pixcharge-embedded-"))
  return {
    store: "embedded",
    schema: "pixcharge",
    targets: [{ url: folder }],
    faults: {},
    places: async () => placesOn(join(folder, "data")),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  }
}
