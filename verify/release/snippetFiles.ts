import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { root } from "../world/root.ts"
import { type Snippet, snippetsIn } from "./snippetsIn.ts"

const imports = (names: string, from: string): string => `import { ${names} } from "${from}"\n`

const fromBank = imports("bank, pix, shop", "./snippet1.js")
const connection = (field: string): string =>
  `${imports("readFileSync", "node:fs")}${imports("type ApiPixConnection", "@pixcharge/processor-api-pix")}` +
  `export const part: Pick<ApiPixConnection, "${field}"> = {\n…}\n`

const ofApiPix = {
  "identity: ": connection("identity"),
  "isForeignTxid: ": connection("isForeignTxid"),
  "const mountedAt ": `${fromBank}…`,
  "const charge ": `${fromBank}…`,
  "const found ": `${fromBank}${imports("type PlainCharge", "@pixcharge/embed")}declare const charge: PlainCharge\n…`,
}

/** The programs around fragments, by page and by the fragment's beginning. The fragment replaces `…`. */
export const fragments: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "docs/api-pix.md": ofApiPix,
  "docs/pt-BR/api-pix.md": ofApiPix,
  "docs/scaling.md": { "await pix.directory.putCompany": `${imports("pix", "./pix.js")}…` },
}

const vault = {
  name: "vault",
  code:
    imports("type ApiPixConnection", "@pixcharge/processor-api-pix") +
    "export declare const vault: { connection: (cnpj: string) => Promise<ApiPixConnection> }\n",
}

/** The modules that a page's snippets import and that its readers have already. */
const modules: Readonly<Record<string, ReadonlyArray<Snippet>>> = {
  "docs/api-pix.md": [vault],
  "docs/pt-BR/api-pix.md": [vault],
}

const pagesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`)

export const checkedPages: ReadonlyArray<string> = [
  "README.md",
  "README.pt-BR.md",
  ...pagesBelow("docs"),
  ...["packages", "examples"]
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}/README.md`))
    .filter((page) => existsSync(join(root, page))),
]

const commonPix = snippetsIn("docs/first-steps.md").filter(({ name }) => name === "pix")

export const snippetFiles = (page: string): ReadonlyArray<Snippet> => {
  const around = Object.entries(fragments[page] ?? {})
  const snippets = snippetsIn(page).map(({ name, code }) => {
    const [, program = "…"] = around.find(([beginning]) => code.startsWith(beginning)) ?? []
    return { name, code: program.replace("…", () => code) }
  })
  if (snippets.length === 0) return []
  const hasPix = snippets.some(({ name }) => name === "pix")
  return [...(hasPix ? [] : commonPix), ...(modules[page] ?? []), ...snippets]
}
