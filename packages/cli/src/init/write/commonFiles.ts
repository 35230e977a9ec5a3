import type { Choices } from "../choices.ts"
import type { Project } from "../Project.ts"
import { bankPart, importPix, listEndings, storePart } from "./parts.ts"
import { indent, type Setting, type Source, writeImports } from "./writeSource.ts"

export const tsconfig = `{
  "compilerOptions": {
    "target": "es2023",
    "module": "nodenext",
    "strict": true,
    "skipLibCheck": true,
    "types": ["node"],
    "rootDir": "src",
    "outDir": "dist"
  },
  "include": ["src"]
}
`

/** Chooses a name that compilers ignore, and that the backend's test runner finds only if it can run the file. */
export const nameTest = ({ framework }: Choices, { source, runner }: Project): string => {
  if (runner === "jest" || runner === "other") return `${source}pix.check.mjs`
  return `${source}pix.${framework === "nest" && runner === "vitest" ? "spec.ts" : "test.mjs"}`
}

/** For `node:test` or vitest, in JavaScript that is also valid TypeScript. */
export const writeTest = ({ runner }: Project): string => {
  const hooks = runner === "vitest" ? "{ afterAll, afterEach, test }" : "{ after, afterEach, test }"
  const imports = {
    "node:assert/strict": "assert",
    "node:crypto": "{ randomUUID }",
    [runner === "vitest" ? "vitest" : "node:test"]: hooks,
    "@pixcharge/testing": "{ testPix }",
  }
  return `${writeImports(imports, { isTypeScript: false, isModule: true, ending: "" })}
// Replaces your app's pix: the test controls its payers, bank and clock.
const pix = testPix({ afterEach, ${runner === "vitest" ? "afterAll" : "afterAll: after"} })
const { cnpj } = pix.company

test("a charge is issued, paid and refunded", async () => {
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1990 })

  await pix.pay(id)
  assert.equal((await pix.find(cnpj, id)).status, "paid")

  await pix.refund(cnpj, id)
  await pix.runDueWork()
  assert.equal((await pix.find(cnpj, id)).status, "refunded")

  const kinds = pix.delivered.map(({ kind }) => kind)
  assert.deepEqual(kinds, ["paid", "refunded"])
})
`
}

export const writeIssueScript = (choices: Choices): Source => ({
  imports: { "node:crypto": "{ randomUUID }", "./pix": importPix(choices, "shop") },
  body: `const main = async () => {
  const charge = await pix.issue(shop.cnpj, { id: randomUUID(), amountCents: 1990 })
  console.log(charge.status)
  // The payer pastes the code into the bank's app, or scans it as a QR code.
  console.log(charge.brCode)

${indent(listEndings(choices).join("\n"))}
}

void main()
`,
})

export const writeEnvExample = (choices: Choices, project: Project): string =>
  listSettings(choices, project)
    .map(({ name, comment, value = "" }) => `# ${comment}\n${name}=${value}\n`)
    .join("\n")

export const routesPath = ({ framework }: Choices): string => `${framework === "next" ? "/api" : ""}/payments`

const listRouteSettings = (choices: Choices, { kind }: Project): ReadonlyArray<Setting> => {
  const { framework, bank } = choices
  if (framework === "none") return []
  const port: Setting = { name: "PORT", comment: "Where the server listens", value: "3000" }
  return [
    ...(kind === "new" && framework !== "next" ? [port] : []),
    {
      name: "PUBLIC_URL",
      comment: `Where payers and the bank reach the routes: https://shop.example${routesPath(choices)}`,
      ...(bank === "sandbox" ? { value: `http://localhost:3000${routesPath(choices)}` } : { isRequired: true }),
    },
    {
      name: "PIX_TOKEN_SECRET",
      comment: "Signs the links of payers' pages: openssl rand -hex 32",
      ...(bank !== "sandbox" && { isRequired: true }),
    },
  ]
}

export const listSettings = (choices: Choices, project: Project): ReadonlyArray<Setting> =>
  [listRouteSettings(choices, project), storePart(choices).settings, bankPart(choices).settings].flatMap(
    (settings) => settings ?? [],
  )
