import { join } from "node:path"
import type { Plugin } from "rolldown"
import { root } from "../world/root.ts"

/** Makes a bundler read our packages' sources, so that no build can be stale. */
export const ourSources: Plugin = {
  name: "ours",
  resolveId: (name) => {
    const [, folder, subpath = ""] = /^@pixcharge\/([^/]+)(?:\/(.+))?$/.exec(name) ?? []
    return folder === undefined ? null : join(root, "packages", folder, "src", subpath, "index.ts")
  },
}
