import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, it } from "vitest"

const root = resolve(import.meta.dirname, "../..")

interface Entry {
  readonly types: string
  readonly default: string
}

interface Manifest {
  readonly name: string
  readonly private?: boolean
  /** A file of data is exported by its path alone. */
  readonly exports: Readonly<Record<string, Entry | string>>
  readonly bin?: Readonly<Record<string, string>>
}

const foldersIn = (parent: string): ReadonlyArray<string> =>
  readdirSync(join(root, parent)).map((name) => `${parent}/${name}`)

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest

const published = foldersIn("packages").filter((folder) => manifestOf(folder).private !== true)

const bundled = (file: string): string => file.replace("./dist/", "./bundle/")

const publishedBin = ({ bin }: Manifest) =>
  bin && { bin: Object.fromEntries(Object.entries(bin).map(([name, file]) => [name, bundled(file)])) }

const publishedExports = ({ exports }: Manifest) =>
  Object.fromEntries(
    Object.entries(exports).map(([path, entry]) => [
      path,
      typeof entry === "string" ? entry : { types: entry.types, default: bundled(entry.default) },
    ]),
  )

/** What a manifest has so that its package can be found, judged and published: everything else is its own. */
const expected = (folder: string, manifest: Manifest) => ({
  description: expect.stringMatching(/\S/),
  keywords: expect.arrayContaining(["pix", "brazil", "pixcharge"]),
  license: "MIT",
  homepage: `https://github.com/pixcharge/pixcharge/tree/main/${folder}#readme`,
  bugs: { url: "https://github.com/pixcharge/pixcharge/issues" },
  repository: { type: "git", url: "git+https://github.com/pixcharge/pixcharge.git", directory: folder },
  engines: { node: ">=20.19" },
  sideEffects: false,
  files: expect.arrayContaining(["bundle", "dist/**/*.d.ts", "CHANGELOG.md"]),
  scripts: { prepack: "node ../../scripts/bundle.mjs" },
  publishConfig: { access: "public", exports: publishedExports(manifest), ...publishedBin(manifest) },
})

describe("a published package", () => {
  it.each(published)("%s says in its manifest what it is, where it comes from, and what is packed", (folder) => {
    const manifest = manifestOf(folder)
    expect(manifest).toMatchObject(expected(folder, manifest))
  })

  it.each(published)("%s has a changelog and a README that installs it and shows it", (folder) => {
    const { name } = manifestOf(folder)
    const readme = readFileSync(join(root, folder, "README.md"), "utf8")
    expect(readme).toMatch(new RegExp(`^# ${name}\\n`))
    expect(readme).toMatch(new RegExp(`\`\`\`sh\\nnpm install (--save-dev )?${name}\\b`))
    expect(readme).toContain("```ts\n")
    expect(readFileSync(join(root, folder, "CHANGELOG.md"), "utf8")).toMatch(new RegExp(`^# ${name}\\n`))
  })
})

it.each(foldersIn("examples"))("%s has a README that says how it is run", (folder) => {
  expect(existsSync(join(root, folder, "README.md"))).toBe(true)
  expect(readFileSync(join(root, folder, "README.md"), "utf8")).toMatch(/```sh\nnpx -y pnpm@12 install\nnpx /)
})

const load = async (script: string) =>
  (await import(join(root, "scripts", script))) as Readonly<Record<string, unknown>>
const tarballFlaws = (await load("tarballFlaws.mjs"))["tarballFlaws"] as (files: ReadonlyArray<string>) => object
const releaseFlaws = (await load("releaseFlaws.mjs"))["releaseFlaws"] as (tree: object) => object

describe("a tarball", () => {
  const sound = ["package.json", "README.md", "LICENSE", "CHANGELOG.md", "bundle/index.js", "dist/index.d.ts"]

  it("has modules, their types and what people read", () => {
    expect(tarballFlaws(sound)).toEqual([])
  })

  it.each([
    "dist/index.js.map",
    "dist/index.d.ts.map",
    "src/index.ts",
    "dist/index.js",
    "tsconfig.tsbuildinfo",
    ".env",
  ])("may not have %s", (file) => {
    expect(tarballFlaws([...sound, file])).toEqual([`${file} doesn't belong there`])
  })

  it.each(sound)("may not lack %s", (file) => {
    expect(tarballFlaws(sound.filter((name) => name !== file))).toHaveLength(1)
  })
})

describe("a release", () => {
  const one = {
    name: "@pixcharge/a",
    version: "1.2.0",
    repository: { url: "git+https://github.com/pixcharge/pixcharge.git" },
    changelog: "# @pixcharge/a\n\n## 1.2.0\n\n- More.\n",
  }
  const sound = { changedFiles: "", origin: "git@github.com:pixcharge/pixcharge.git", packages: [one] }

  it("is of a committed tree, in one version, with its changelog, from the repository that the packages name", () => {
    expect(releaseFlaws(sound)).toEqual([])
    expect(releaseFlaws({ ...sound, origin: "https://github.com/pixcharge/pixcharge" })).toEqual([])
  })

  it.each([
    ["files that aren't committed", { changedFiles: " M README.md" }],
    ["another origin", { origin: "https://github.com/somebody/pixcharge.git" }],
    ["two versions", { packages: [one, { ...one, version: "1.3.0", changelog: "# a\n\n## 1.3.0\n" }] }],
    ["a changelog that ends before it", { packages: [{ ...one, changelog: "# a\n\n## 1.1.0\n" }] }],
  ])("is refused for %s", (_, changes) => {
    expect(releaseFlaws({ ...sound, ...changes })).toHaveLength(1)
  })
})
