import { createRequire } from "node:module"
import type { Choices } from "./choices.ts"
import type { Files } from "./writeFiles.ts"
import type { Project } from "./Project.ts"
import { listSettings, nameTest } from "./write/commonFiles.ts"
import { nestPackage } from "./write/nestPart.ts"
import { serverParts } from "./write/serverParts.ts"
import { bankPart, storePart } from "./write/parts.ts"
import { indent } from "./write/writeSource.ts"

const docs = "https://github.com/pixcharge/pixcharge/blob/main/docs"

/** The version is 0.0.0 until the first release. */
const { version } = createRequire(import.meta.url)("../../package.json") as { readonly version: string }
const isPublished = version !== "0.0.0"

const note = `# Nothing is published yet: in a clone of https://github.com/pixcharge/pixcharge, \`npx -y pnpm@12 run tarballs\`
# with the names that begin with @pixcharge/ packs them, and prints the commands to run instead of these.`

const listFrameworkPackages = ({ framework }: Choices, project: Project): ReadonlyArray<string> => {
  if (framework === "nest") return [nestPackage(project)]
  if (framework === "none") return []
  const all = framework === "next" ? ["next", "react", "react-dom"] : serverParts[framework].packages
  return project.kind === "new" ? all : all.filter((name) => name.startsWith("@pixcharge/"))
}

const withTypes = new Set(["express", "pg", "react"])

const adds = {
  npm: ["npm install", "npm install --save-dev"],
  pnpm: ["pnpm add", "pnpm add --save-dev"],
  yarn: ["yarn add", "yarn add --dev"],
  bun: ["bun add", "bun add --dev"],
} as const

const listInstalls = (choices: Choices, project: Project): ReadonlyArray<string> => {
  const ofParts = [storePart(choices), bankPart(choices)].flatMap((part) => part.packages)
  const pages = choices.framework === "none" ? [] : ["@pixcharge/checkout"]
  const packages = ["@pixcharge/embed", "effect", ...pages, ...listFrameworkPackages(choices, project), ...ofParts]
  const types = packages.filter((name) => withTypes.has(name)).map((name) => `@types/${name}`)
  const compiler = project.kind === "new" ? ["typescript"] : []
  const bank = choices.bank === "sandbox" ? [] : ["@pixcharge/simulated-bank"]
  const devPackages = [
    "@pixcharge/testing",
    ...bank,
    ...(project.isTypeScript ? ["@types/node", ...compiler, ...types] : []),
  ]
  const [add, addDev] = adds[project.manager]
  return [
    ...(isPublished ? [] : [note]),
    `${add} ${packages.toSorted().join(" ")}`,
    `${addDev} ${devPackages.toSorted().join(" ")}`,
  ]
}

const listRuns = ({ framework }: Choices, project: Project, envFile: string): ReadonlyArray<string> => {
  if (project.kind !== "new") return []
  if (framework === "next") return ["npx next build", "npx next start"]
  return ["npx tsc", `node ${envFile}dist/${framework === "none" ? "issue" : "server"}.js`]
}

const listRemarks = ({ bank, framework }: Choices, { runner, isOnWorkerd }: Project): ReadonlyArray<string> => [
  ...(isOnWorkerd ? ["pixcharge is not supported on workerd: serve this app on Node with @hono/node-server."] : []),
  ...(framework === "none"
    ? []
    : [`POST ${framework === "next" ? "/api" : ""}/buy issues a charge and returns the link of its payer's page.`]),
  ...(runner === "jest" ? [`To load ES modules in Jest, see ${docs}/hosts/commonjs.md#in-jest`] : []),
  ...(bank === "sandbox"
    ? ["In the sandbox, pix.simulatePayment(shop.cnpj, id) pays a charge."]
    : [
        "The bank's certificate and your key go into certs/client.pem and certs/client.key. Without a bank:",
        `  npx -p @pixcharge/simulated-bank pixcharge-bank --psp ${bank} --dir certs`,
        ...(bank === "standard" ? [] : ["and put the printed connection into the pix module."]),
        `Each step: ${docs}/first-real-payment.md`,
      ]),
]

const quote = (path: string): string => (/^[\w./\\:~-]+$/.test(path) ? path : `"${path}"`)

export const nextSteps = (choices: Choices, project: Project, folder: string, lines: Files): string => {
  const settings = listSettings(choices, project)
  const required = settings.filter(({ isRequired }) => isRequired)
  const fill = required.length === 0 ? [] : [`# fill in .env: ${required.map(({ name }) => name).join(", ")}`]
  return [
    ...(folder === "." ? [] : [`cd ${quote(folder)}`]),
    ...listInstalls(choices, project),
    ...(project.lacksType && choices.framework !== "next" ? ["npm pkg set type=module"] : []),
    // Appends, because an .env can already exist.
    ...(required.length > 0 ? ["cat .env.example >> .env", ...fill] : []),
    `${project.runner === "vitest" ? "npx vitest run" : "node --test"} ${nameTest(choices, project)}`,
    ...listRuns(choices, project, required.length > 0 ? "--env-file=.env " : ""),
    "",
    ...Object.entries(lines).flatMap(([path, text]) => [`Add to ${path}:`, "", indent(text), ""]),
    "The pix module names the seller, and contains what your app does once a charge is paid.",
    ...listRemarks(choices, project),
  ].join("\n")
}
