import type { Choices } from "../choices.ts"
import { listSettings } from "./listSettings.ts"
import { writeImports } from "./writeImports.ts"

/** `src/settings.ts`. */
export const settingsModule = `/** A setting of the environment; throws where it is missing. */
export const setting = (name: string): string => {
  const value = process.env[name]
  if (value === undefined || value === "") throw new Error(\`\${name} is not set: see .env.example\`)
  return value
}
`

/** `tsconfig.json` of a project that has none. */
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

/** A test of `node:test`, which is JavaScript as well. */
export const paymentTest = `${writeImports({
  "node:assert/strict": "assert",
  "node:crypto": "{ randomUUID }",
  "node:test": "{ after, afterEach, test }",
  "@pixcharge/testing": "{ testPix }",
})}

// In place of your app's pix: its payers, its bank and its clock do what the test says.
const pix = testPix({ afterEach, afterAll: after })
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

/** `.env.example`. */
export const writeEnvExample = (choices: Choices): string =>
  listSettings(choices)
    .map(({ name, comment, value = "" }) => `# ${comment}\n${name}=${value}\n`)
    .join("\n")
