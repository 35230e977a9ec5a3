import type { Choices } from "../choices.ts"
import type { Part } from "../Part.ts"
import { bankPart } from "./bankPart.ts"
import { joinImports } from "./joinImports.ts"
import { storePart } from "./storePart.ts"

/** The name of an own module, as another imports it: Next.js bundles, and Node wants an extension. */
export const nameModule = ({ framework }: Choices, path: string): string => (framework === "next" ? path : `${path}.js`)

const writeShop = ({ framework, bank }: Choices): string =>
  [
    "/** Who sells. */",
    "export const shop = {",
    '  cnpj: "12345678000195",',
    '  name: "Minha Loja",',
    '  city: "Recife",',
    `  pixKey: ${bank === "sandbox" ? '"loja@example.com"' : 'setting("PIX_KEY")'},`,
    ...(framework === "none" ? [] : ['  integratorKey: setting("INTEGRATOR_KEY"),']),
    "}",
  ].join("\n")

const writeShared = ({ store, bank }: Choices): string => {
  const pix = `pix?: ${bank === "sandbox" ? "SandboxPix" : "Pix"}`
  return `// Next.js loads this module once for each bundle that imports it, and again at each hot reload:
// they share one instance.
const shared = globalThis as typeof globalThis & ${
    store === "embedded" ? `{\n  ${pix}\n  database?: ReturnType<typeof embeddedDatabase>\n}` : `{ ${pix} }`
  }`
}

const writeCreate = (choices: Choices, store: Part, bank: Part): string => {
  const isNext = choices.framework === "next"
  return [
    `export const pix = ${isNext ? "(shared.pix ??= " : ""}createPix({`,
    `  environment: "${choices.bank === "sandbox" ? "sandbox" : "production"}",`,
    ...[...store.options, "companies: [shop],", ...bank.options].map((line) => `  ${line}`),
    ...(choices.framework === "none"
      ? []
      : [
          "  // Signs the tokens by which integrators issue.",
          '  tokens: { keys: [{ kid: "1", secret: setting("PIX_TOKEN_SECRET") }] },',
        ]),
    "  // Each event comes at least once, and again where this throws.",
    "  onEvent: (event) => {",
    '    if (event.kind === "paid") console.log(`paid: ${event.payment.chargeId}`)',
    "  },",
    `})${isNext ? ")" : ""}`,
  ].join("\n")
}

/** Whether any module reads the environment. */
export const readsSettings = ({ framework, store, bank }: Choices): boolean =>
  framework !== "none" || store === "postgres" || bank !== "sandbox"

/** `src/pix.ts`: the instance, and what it is made of. */
export const writePixModule = (choices: Choices): string => {
  const isNext = choices.framework === "next"
  const [store, bank] = [storePart(choices), bankPart(choices)]
  const type = choices.bank === "sandbox" ? "SandboxPix" : "Pix"
  const imports = [
    `import { createPix${isNext ? `, type ${type}` : ""} } from "@pixcharge/embed"`,
    ...store.imports,
    ...bank.imports,
    ...(readsSettings(choices) ? [`import { setting } from "${nameModule(choices, "./settings")}"`] : []),
  ]
  const blocks = [
    joinImports(imports),
    writeShop(choices),
    ...bank.statements,
    ...(isNext ? [writeShared(choices)] : []),
    ...store.statements,
    writeCreate(choices, store, bank),
  ]
  return `${blocks.join("\n\n")}\n`
}
