import { readdirSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { readText, root } from "./pages.ts"

const page = readText("docs/internals/architecture.md")

it("lists the ports with the files that declare them", () => {
  const folder = "packages/core/src/ports"
  const declared = readdirSync(join(root, folder)).flatMap((file) =>
    [...readText(`${folder}/${file}`).matchAll(/"@pixcharge\/core\/ports\/(\w+)"/g)].map(
      ([, port]) => `${port} ${file}`,
    ),
  )
  const [, section = ""] = /\n## The ports\n(.*?)\n### /s.exec(page) ?? []
  const links = section.matchAll(/\[`(\w+)`\]\((?:\.\.\/)+packages\/core\/src\/ports\/(\w+\.ts)\)[,\n]/g)
  expect([...links].map(([, port, file]) => `${port} ${file}`).toSorted()).toEqual(declared.toSorted())
})

interface Manifest {
  readonly dependencies?: object
  readonly devDependencies?: object
  readonly peerDependencies?: object
}

const ours = (dependencies: object = {}): ReadonlyArray<string> =>
  Object.keys(dependencies).flatMap((name) => (name.startsWith("@pixcharge/") ? [name.slice(11)] : []))

const packages = readdirSync(join(root, "packages")).map((name) => {
  const manifest = JSON.parse(readText(`packages/${name}/package.json`)) as Manifest
  const needed = ours(manifest.dependencies)
  return { name, needed, optional: [...ours(manifest.peerDependencies), ...ours(manifest.devDependencies)] }
})

const drawn = (arrow: RegExp, name: string): ReadonlyArray<string> =>
  [...page.matchAll(/^ {2}([\w-]+) (-\S+) *(?:\S.*\|)? *([\w-]+)$/gm)].flatMap(([, from, form = "", to = ""]) =>
    from === name && arrow.test(form) ? [to] : [],
  )

const reached = (name: string, next: (name: string) => ReadonlyArray<string>): ReadonlyArray<string> => {
  const names = new Set([name])
  for (const each of names) for (const other of next(each)) names.add(other)
  return [...names].toSorted()
}

it.each(packages)("the arrows of $name are the dependencies of its manifest", ({ name, optional }) => {
  const needed = (from: string) => packages.find((each) => each.name === from)?.needed ?? []
  expect(reached(name, (from) => drawn(/^-->/, from))).toEqual(reached(name, needed))
  expect(optional).toEqual(expect.arrayContaining([...drawn(/^-\.->/, name)]))
})
