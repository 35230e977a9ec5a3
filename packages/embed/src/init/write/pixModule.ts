import type { Choices } from "../choices.ts"
import type { Part } from "../Part.ts"
import { bankPart } from "./bankPart.ts"
import { listSettings } from "./listSettings.ts"
import { storePart } from "./storePart.ts"
import { writeImports } from "./writeImports.ts"

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

/** What `createPix` returns. */
const nameType = ({ bank }: Choices): string => (bank === "sandbox" ? "SandboxPix" : "Pix")

const writeShared = (choices: Choices): string =>
  [
    "// Next.js loads this module once for each bundle that imports it, and again at each hot reload:",
    "// they share one instance.",
    "const shared = globalThis as typeof globalThis & {",
    `  pix?: ${nameType(choices)}`,
    ...(choices.store === "embedded" ? ["  database?: ReturnType<typeof embeddedDatabase>"] : []),
    "}",
  ].join("\n")

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

/** `src/pix.ts`: the instance, and what it is made of. */
export const writePixModule = (choices: Choices): string => {
  const isNext = choices.framework === "next"
  const [store, bank] = [storePart(choices), bankPart(choices)]
  const imports = {
    "@pixcharge/embed": `{ createPix${isNext ? `, type ${nameType(choices)}` : ""} }`,
    ...store.imports,
    ...bank.imports,
    ...(listSettings(choices).length > 0 && { [`./settings${isNext ? "" : ".js"}`]: "{ setting }" }),
  }
  const blocks = [
    writeImports(imports),
    writeShop(choices),
    bank.statement,
    isNext ? writeShared(choices) : undefined,
    store.statement,
    writeCreate(choices, store, bank),
  ]
  return `${blocks.filter((block) => block !== undefined).join("\n\n")}\n`
}
