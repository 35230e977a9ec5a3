import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, it } from "vitest"

const root = resolve(import.meta.dirname, "../..")

interface Row {
  readonly what: string
  readonly kb: number
}

const script = join(root, "scripts/measureBundles.mjs")
const { measureBundles } = (await import(script)) as { readonly measureBundles: () => Promise<ReadonlyArray<Row>> }

const page = readFileSync(join(root, "docs/packages.md"), "utf8")
const written: ReadonlyArray<Row> = [...page.matchAll(/^\| (.+?) +\| +([\d.]+) \|$/gm)].map(([, what = "", kb]) => ({
  what,
  kb: Number(kb),
}))

it("docs/packages.md has the size of every bundle, within a tenth (node scripts/measureBundles.mjs writes it)", async () => {
  const measured = await measureBundles()
  expect(written.map(({ what }) => what)).toEqual(measured.map(({ what }) => what))
  const off = measured.filter(({ kb }, at) => Math.abs(kb - (written[at]?.kb ?? 0)) > Math.max(0.1 * kb, 0.1))
  expect(off).toEqual([])
})
