import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, it } from "vitest"

const packages = resolve(import.meta.dirname, "../..")

/** The source files of a package, without core's `schema`, whose codecs have the names of their types. */
const listSources = (name: string): ReadonlyArray<string> =>
  readdirSync(join(packages, name, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith("index.ts") && !file.startsWith("schema/"))
    .map((file) => readFileSync(join(packages, name, "src", file), "utf8"))

const withoutComments = (code: string): string => code.replaceAll(/\/\*\*[^]*?\*\/|\/\/.*$/gm, "")

/** A declaration ends before the next line that begins with anything but a space, a bar or a closing bracket. */
const declaration =
  /^(?:export )?(?:declare )?(?:interface|type|(?:abstract )?class) (\w+)[^]*?(?=^(?![ |})\]>])\S|(?![^]))/gm

/** The declaration of each type of core, http and embed, by the type's name. */
const declared = new Map(
  ["core", "http", "embed"]
    .flatMap(listSources)
    .flatMap((code) =>
      [...withoutComments(code).matchAll(declaration)].map(([text, name = ""]): [string, string] => [name, text]),
    ),
)

/** Names that needn't be exported: base classes of errors, and `Change`, which two files declare and only one exports. */
const internal = new Set(["TaggedError", "CausedError", "Change"])
const walkedService = "DirectoryAdmin"
const isService = (text: string): boolean => text.includes("extends Context.Service")

/** A class's declaration without its members; any other declaration whole. */
const shape = (text: string): string =>
  text.startsWith("class") || text.includes("class ") ? (text.split(/^\}> \{|> \{$/m)[0] ?? "") : text

const reach = (name: string, reached = new Set<string>()): ReadonlySet<string> => {
  const text = declared.get(name)
  if (text === undefined || internal.has(name) || reached.has(name)) return reached
  if (isService(text) && name !== walkedService) return reached
  reached.add(name)
  for (const [word] of shape(text).matchAll(/\b[A-Z]\w+\b/g)) reach(word, reached)
  return reached
}

const index = readFileSync(join(packages, "embed/src/index.ts"), "utf8")
const exported = new Set([...index.matchAll(/\b[A-Z]\w+\b/g)].map(([name]) => name))
/** The types that core, http or embed exports. */
const exportable = new Set(
  ["core", "http", "embed"].flatMap((name) =>
    [...readFileSync(join(packages, name, "src/index.ts"), "utf8").matchAll(/\b[A-Z]\w+\b/g)].map(([word]) => word),
  ),
)

it("follows a type's parts to their parts", () => {
  expect([...reach("Pix")]).toEqual(
    expect.arrayContaining(["Charge", "PendingCharge", "Cents", "CompanyInput", "Page"]),
  )
})

it.each(["Pix", "SandboxPix", "PixError", "PixOptions"])("exports every type that is part of %s", (name) => {
  const missing = [...reach(name)].filter(
    (type) => exportable.has(type) && !exported.has(type) && type !== walkedService,
  )
  expect(missing.toSorted()).toEqual([])
})
