import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { describe, expect, it } from "vitest"
import { isImported, packages } from "../../release/packages.ts"
import { publishedEntries } from "../../release/publishedEntries.ts"
import { releaseFlaws } from "../../release/releaseFlaws.ts"
import { tarballFlaws } from "../../release/tarballFlaws.ts"
import { root } from "../../world/root.ts"

const published = packages.map(({ folder, manifest }) => ({ folder: relative(root, folder), manifest }))

const foldersIn = (parent: string): ReadonlyArray<string> =>
  readdirSync(join(root, parent)).map((name) => `${parent}/${name}`)

/** The fields of every manifest that npm needs to list, describe and publish the package. */
const elementIn = (built: string): string => `./${built}/element/index.${built === "src" ? "ts" : "js"}`

const expected = ({ folder, manifest }: (typeof published)[number]) => ({
  description: expect.stringMatching(/\S/),
  keywords: expect.arrayContaining(["pix", "brazil", "pixcharge"]),
  license: "MIT",
  homepage: `https://github.com/pixcharge/pixcharge/tree/main/${folder}#readme`,
  bugs: { url: "https://github.com/pixcharge/pixcharge/issues" },
  repository: { type: "git", url: "git+https://github.com/pixcharge/pixcharge.git", directory: folder },
  engines: { node: ">=20.19" },
  // The element's module has a side effect: it defines the element. The bundlers in tests read it from `src`.
  sideEffects: folder === "packages/checkout" ? ["src", "dist", "bundle"].map((built) => elementIn(built)) : false,
  files: expect.arrayContaining(["bundle", ...(isImported(manifest) ? ["cjs", "dist/**/*.d.ts"] : []), "CHANGELOG.md"]),
  scripts: { prepack: "node ../../verify/dist/release/main.js bundle" },
})

describe("a published package", () => {
  it.each(published)("the manifest of $folder has the description, origin and packed files", ({ folder, manifest }) => {
    expect(manifest).toMatchObject(expected({ folder, manifest }))
    // `node verify/dist/release/main.js entries` writes these entries.
    expect(manifest["publishConfig"]).toEqual({ ...publishedEntries(manifest), access: "public" })
  })

  it.each(published)(
    "$folder has a changelog, and a README that shows how to install and use it",
    ({ folder, manifest }) => {
      const { name } = manifest
      const hasModules = isImported(manifest)
      const readme = readFileSync(join(root, folder, "README.md"), "utf8")
      expect(readme).toMatch(new RegExp(`^# ${name}\\n`))
      expect(readme).toMatch(new RegExp(`\`\`\`sh\\n${hasModules ? "npm install (--save-dev )?" : "npx "}${name}\\b`))
      expect(readme.includes("```ts\n")).toBe(hasModules)
      const changelog = readFileSync(join(root, folder, "CHANGELOG.md"), "utf8")
      expect(changelog).toMatch(new RegExp(`^# ${name}\\n\\n## .+\\n[^]*\\n- `))
    },
  )

  it.each(published)("$folder has a README whose links work on npm and in node_modules", ({ folder }) => {
    const readme = readFileSync(join(root, folder, "README.md"), "utf8")
    const links = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link)
    expect(links.filter((link) => !link.startsWith("https://"))).toEqual([])
    expect(links).not.toEqual([])
  })
})

it.each(foldersIn("examples"))("%s has a README that says how to run it", (folder) => {
  expect(existsSync(join(root, folder, "README.md"))).toBe(true)
  expect(readFileSync(join(root, folder, "README.md"), "utf8")).toMatch(/```sh\nnpx -y pnpm@12 (?:install\nnpx |start)/)
})

it("a tarball has modules with their types, or commands, and a README and a changelog", () => {
  const commands = ["package.json", "README.md", "LICENSE", "CHANGELOG.md", "bundle/index.js"]
  const modules = [...commands, "cjs/index.cjs", "cjs/index.d.cts", "dist/index.d.ts"]
  expect([tarballFlaws(modules, true), tarballFlaws(commands, false)]).toEqual([[], []])
  expect(tarballFlaws(modules, false)).toHaveLength(3)
  for (const file of modules) {
    const others = modules.filter((name) => name !== file)
    expect(tarballFlaws(others, true), file).toHaveLength(1)
  }
  for (const file of [
    "dist/index.js.map",
    "dist/index.d.ts.map",
    "src/index.ts",
    "dist/index.js",
    "a.tsbuildinfo",
    ".env",
  ])
    expect(tarballFlaws([...modules, file], true)).toEqual([`${file} doesn't belong there`])
})

describe("a release", () => {
  const one = {
    name: "@pixcharge/a",
    version: "1.2.0",
    repository: { url: "git+https://github.com/pixcharge/pixcharge.git" },
    changelog: "# @pixcharge/a\n\n## 1.2.0\n\n- More.\n",
  }
  const sound = { changedFiles: "", origin: "git@github.com:pixcharge/pixcharge.git", packages: [one] }

  it("is accepted from a committed tree in the packages' repository, with one version and its changelog", () => {
    expect(releaseFlaws(sound)).toEqual([])
    expect(releaseFlaws({ ...sound, origin: "https://github.com/pixcharge/pixcharge" })).toEqual([])
  })

  it.each([
    ["files that aren't committed", { changedFiles: " M README.md" }],
    ["another origin", { origin: "https://github.com/somebody/pixcharge.git" }],
    ["two versions", { packages: [one, { ...one, version: "1.3.0", changelog: "# a\n\n## 1.3.0\n" }] }],
    ["a changelog without its version", { packages: [{ ...one, changelog: "# a\n\n## 1.1.0\n" }] }],
  ])("is rejected for %s", (_, changes) => {
    expect(releaseFlaws({ ...sound, ...changes })).toHaveLength(1)
  })
})
