import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { type BundleSize, measureBundles } from "../../release/measureBundles.ts"
import { root } from "../../world/root.ts"

const page = readFileSync(join(root, "docs/packages.md"), "utf8")
const written: ReadonlyArray<BundleSize> = [...page.matchAll(/^\| (.+?) +\| +([\d.]+) \|$/gm)].map(
  ([, what = "", kb]) => ({
    what,
    kb: Number(kb),
  }),
)

it(
  "docs/packages.md has the size of every bundle, within a tenth (node verify/dist/release/main.js bundleSizes writes it)",
  { tags: ["long"] },
  async () => {
    const measured = await measureBundles()
    expect(written.map(({ what }) => what)).toEqual(measured.map(({ what }) => what))
    const off = measured.filter(({ kb }, index) => Math.abs(kb - (written[index]?.kb ?? 0)) > Math.max(0.1 * kb, 0.1))
    expect(off).toEqual([])
  },
)
