import { existsSync, readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, it } from "vitest"
import { readText, root } from "./pages.ts"

interface Row {
  readonly name: string
  readonly folder: string
  readonly start?: ReadonlyArray<string>
  readonly runtimes: ReadonlyArray<string>
  readonly overrides?: Readonly<Record<string, string>>
}

const { runtimes, rows } = JSON.parse(readText("verify/hosts/hosts.json")) as {
  readonly runtimes: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
}

const guides = readdirSync(join(root, "docs/hosts")).filter((name) => name !== "README.md")

const projectsOf = (guide: string): ReadonlyArray<string> =>
  [...readText(`docs/hosts/${guide}`).matchAll(/\(\.\.\/\.\.\/((?:verify\/hosts|examples)\/[\w-]+)\)/g)].map(
    ([, path = ""]) => path,
  )

/** The guide's projects that are set up as a reader's project would be. Examples share the workspace's settings. */
const findHosts = (guide: string) => projectsOf(guide).filter((project) => project.startsWith("verify/hosts/"))

const shown = (guide: string) =>
  [...readText(`docs/hosts/${guide}`).matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)].map(([, file = "", code = ""]) => ({
    file,
    code,
  }))

const readIfThere = (file: string): string | undefined => (existsSync(join(root, file)) ? readText(file) : undefined)

/** The code of this file in these projects. Most hosts have the same `pix.ts` and `pix.js`. */
const codeOf = (projects: ReadonlyArray<string>, file: string): ReadonlyArray<string | undefined> => [
  ...projects.map((project) => readIfThere(`${project}/${file}`)),
  readIfThere(`verify/hosts/${basename(file)}`),
]

/** The source files of a project, without tests and build output. */
const filesOf = (project: string, below = ""): ReadonlyArray<string> =>
  readdirSync(join(root, project, below), { withFileTypes: true }).flatMap((entry) => {
    const name = join(below, entry.name)
    if (entry.isDirectory()) return /^(node_modules|dist|test)$/.test(name) ? [] : filesOf(project, name)
    return /(?<!\.d)\.(ts|tsx|js)$/.test(name) ? [name] : []
  })

describe("the guides of hosts", () => {
  it("exist for each project that is a host", () => {
    const hosts = new Set(rows.filter(({ start }) => start !== undefined).map(({ folder }) => `verify/hosts/${folder}`))
    const guided = guides.flatMap(findHosts)
    expect(guided.toSorted()).toEqual([...hosts].toSorted())
  })

  it.each(guides)("%s shows all the code of its project", (guide) => {
    const projects = projectsOf(guide)
    const blocks = shown(guide)
    for (const { file, code } of blocks) expect(codeOf(projects, file), file).toContain(code)
    const files = projects.flatMap((project) => filesOf(project))
    expect(files).not.toEqual([])
    expect(blocks.map(({ file }) => file)).toEqual(expect.arrayContaining([...files]))
  })

  const compiled = guides.filter((guide) => readText(`docs/hosts/${guide}`).includes("`npx tsc`"))

  it.each(compiled)("%s shows the settings of `npx tsc`", (guide) => {
    const settings = shown(guide).filter(({ file }) => file === "tsconfig.json")
    expect(new Set(settings.map(({ code }) => code))).toEqual(
      new Set(findHosts(guide).map((project) => readText(`${project}/tsconfig.json`))),
    )
  })

  it.each(guides)("%s installs its project's packages, and sets the project's type of modules", (guide) => {
    const [project = ""] = projectsOf(guide)
    const { dependencies, type } = JSON.parse(readText(`${project}/package.json`)) as {
      readonly dependencies: object
      readonly type?: string
    }
    expect(readText(`docs/hosts/${guide}`).includes("npm pkg set type=module\n")).toBe(type === "module")
    const [, installed = ""] = /^npm i (.*)$/m.exec(readText(`docs/hosts/${guide}`)) ?? []
    const names = installed.split(" ").map((word) => word.replace(/(?<=.)@.*/, ""))
    expect(names.toSorted()).toEqual(Object.keys(dependencies).toSorted())
  })
})

describe("the table of hosts", () => {
  const text = readText("docs/hosts/README.md")
  const [head = [], , ...table] = text
    .slice(text.indexOf("<!-- hosts:begin -->"), text.indexOf("<!-- hosts:end -->"))
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

  it("has the rows and runtimes that pnpm test:hosts runs", () => {
    expect(head).toEqual(["Host", ...runtimes])
    expect(table.map(([name]) => name)).toEqual(rows.map(({ name }) => name))
  })

  it("says yes or no for each runtime on which the host runs, and a dash for the others", () => {
    for (const [at, { name, runtimes: run }] of rows.entries()) {
      const cells = table[at]?.slice(1) ?? []
      const expected = runtimes.map((runtime) => (run.includes(runtime) ? /^(yes|no)$/ : /^–$/))
      expect(cells, name).toEqual(expected.map((form) => expect.stringMatching(form)))
    }
  })

  const publicPackages = readdirSync(join(root, "packages"))
    .map((name) => readIfThere(`packages/${name}/package.json`))
    .map((manifest) => JSON.parse(manifest ?? "{}") as { readonly peerDependencies?: Readonly<Record<string, string>> })

  it("has a row for the oldest supported version of each foreign package", () => {
    const peers = publicPackages.flatMap(({ peerDependencies = {} }) => Object.entries(peerDependencies))
    const others = peers.filter(([name]) => !name.startsWith("@pixcharge/"))
    const oldest = others.flatMap(([name, ranges]) =>
      ranges.split("||").map((range) => `${name} ${range.replace(/[^\d.]/g, "")}`),
    )
    const run = rows.flatMap(({ overrides = {} }) => Object.entries(overrides).map((entry) => entry.join(" ")))
    // The range `>=8.13` begins with 8.13.0.
    const isRun = (version: string): boolean => run.some((one) => one === version || one === `${version}.0`)
    expect(oldest.length).toBeGreaterThan(5)
    expect(oldest.filter((version) => !isRun(version))).toEqual([])
  })

  it("names as the oldest version of a package one that a row runs, or the newest", () => {
    const versions = [...text.matchAll(/^\| `([^`]+)` +\| ([\d.]+) +\| ([\d.]+) +\|$/gm)]
    expect(versions.length).toBeGreaterThan(4)
    for (const [, name = "", oldest, newest] of versions) {
      const run = rows.map(({ overrides }) => overrides?.[name]).filter((version) => version !== undefined)
      expect([...run, newest], name).toContain(oldest)
    }
  })
})
