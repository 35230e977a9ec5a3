import { execFile } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, matchesGlob, relative } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { root } from "../../world/root.ts"

const run = promisify(execFile)

const filesNamed = async (form: RegExp): Promise<ReadonlyArray<string>> => {
  const { stdout } = await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root })
  return stdout.split("\0").filter((file) => form.test(file) && existsSync(join(root, file)))
}

interface Config {
  readonly include?: ReadonlyArray<string>
  readonly exclude?: ReadonlyArray<string>
  readonly references?: ReadonlyArray<{ readonly path: string }>
}

const readConfig = (file: string): Config =>
  JSON.parse(readFileSync(join(root, file), "utf8").replaceAll(/^\s*\/\/.*$/gm, "")) as Config

const projects = [{ path: "." }, ...(readConfig("tsconfig.json").references ?? [])].map(({ path }) => {
  const file = path.endsWith(".json") ? path : join(path, "tsconfig.json")
  return { folder: dirname(file), ...readConfig(file) }
})

const names = (folder: string, entries: ReadonlyArray<string>, file: string): boolean =>
  entries
    .map((entry) => join(folder, entry))
    // Compares folders first, because that is faster than to compile the pattern.
    .filter((entry) => file.startsWith(/^[^*]*/.exec(entry)?.[0] ?? ""))
    .some((entry) => matchesGlob(file, entry) || matchesGlob(file, `${entry}/**`))

const isChecked = (file: string): boolean =>
  projects.some(
    ({ folder, include = [], exclude = [] }) => names(folder, include, file) && !names(folder, exclude, file),
  )

/** Tests that the gate's Vitest doesn't run. `pnpm test:hosts`, `pnpm test:citus` and verify/release/check run them. */
const runElsewhere = /^(verify\/hosts\/|verify\/chaos\/test\/cluster\/|packages\/store-citus\/test\/cluster\/)/

describe("every file of the repository", () => {
  it("in TypeScript belongs to a project of `tsc -b`", async () => {
    const files = await filesNamed(/\.[cm]?tsx?$/)
    expect(files.length).toBeGreaterThan(1_000)
    expect(files.filter((file) => !isChecked(file))).toEqual([])
  })

  it("that is named as a test is run", async () => {
    const args = ["node_modules/vitest/vitest.mjs", "list", "--filesOnly", "--json", "--config", "vitest.workspace.ts"]
    const { stdout } = await run(process.execPath, args, { cwd: root })
    const listed = JSON.parse(stdout.slice(stdout.indexOf("["))) as ReadonlyArray<{ readonly file: string }>
    const found = new Set(listed.map(({ file }) => relative(root, file)))
    const files = await filesNamed(/[._](test|spec)s?\.[cm]?[jt]sx?$/)
    expect(files.filter((file) => !found.has(file) && !runElsewhere.test(file))).toEqual([])
  })
})
