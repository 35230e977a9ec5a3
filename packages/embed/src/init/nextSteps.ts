import type { Choices } from "./choices.ts"
import { bankPart } from "./write/bankPart.ts"
import { listSettings } from "./write/listSettings.ts"
import { storePart } from "./write/storePart.ts"

const frameworkPackages: Readonly<Record<Choices["framework"], ReadonlyArray<string>>> = {
  express: ["@pixcharge/express", "express"],
  fastify: ["@pixcharge/fastify", "fastify"],
  hono: ["@pixcharge/hono", "@hono/node-server", "hono"],
  next: ["next", "react", "react-dom"],
  none: [],
}

/** Packages whose types are apart. */
const withTypes = new Set(["express", "pg", "react"])

const listInstalls = (choices: Choices): ReadonlyArray<string> => {
  const ofParts = [storePart(choices), bankPart(choices)].flatMap((part) => part.packages)
  const packages = ["@pixcharge/embed", "effect", ...frameworkPackages[choices.framework], ...ofParts]
  const types = packages.filter((name) => withTypes.has(name)).map((name) => `@types/${name}`)
  const devPackages = ["@pixcharge/testing", "@types/node", "typescript", ...types]
  return [`npm install ${packages.toSorted().join(" ")}`, `npm install --save-dev ${devPackages.toSorted().join(" ")}`]
}

const listRuns = ({ framework }: Choices, envFile: string): ReadonlyArray<string> => {
  if (framework === "next") return ["node --test src/pix.test.mjs", "npx next build", "npx next start"]
  const entry = framework === "none" ? "dist/issue.js" : "dist/server.js"
  return ["npx tsc", "node --test dist/pix.test.js", `node ${envFile}${entry}`]
}

const listRemarks = ({ bank }: Choices): ReadonlyArray<string> =>
  bank === "sandbox"
    ? []
    : [
        "The bank's certificate and your key go into certs/client.pem and certs/client.key. Without a bank:",
        `  npx -p @pixcharge/simulated-bank pixcharge-bank --psp ${bank} --dir certs`,
        ...(bank === "standard" ? [] : ["and put the connection that it prints into src/pix.ts."]),
        "Each step: https://github.com/pixcharge/pixcharge/blob/main/docs/first-real-payment.md",
      ]

const listSecrets = ({ store, bank }: Choices, hasSettings: boolean): ReadonlyArray<string> => [
  ...(hasSettings ? [".env"] : []),
  ...(store === "embedded" ? [".pixcharge"] : []),
  ...(bank === "sandbox" ? [] : ["certs"]),
]

/** A path as a shell takes it; quotes hold in each of them. */
const quote = (path: string): string => (/^[\w./\\:~-]+$/.test(path) ? path : `"${path}"`)

/** What is printed once the files are written: commands in their order, and what to know. */
export const nextSteps = (choices: Choices, folder: string, isModule: boolean): string => {
  const empty = listSettings(choices).filter(({ value }) => value === undefined)
  const hasSettings = empty.length > 0
  const secrets = listSecrets(choices, hasSettings)
  return [
    ...(folder === "." ? [] : [`cd ${quote(folder)}`]),
    ...listInstalls(choices),
    ...(isModule || choices.framework === "next" ? [] : ["npm pkg set type=module"]),
    // There may be an .env already.
    ...(hasSettings ? ["cat .env.example >> .env", `# fill in .env: ${empty.map(({ name }) => name).join(", ")}`] : []),
    ...listRuns(choices, hasSettings ? "--env-file=.env " : ""),
    "",
    "Who sells is in src/pix.ts, and what your app does once a charge is paid.",
    ...(secrets.length === 0 ? [] : [`Keep out of your repository: ${secrets.join(", ")}`]),
    ...listRemarks(choices),
  ].join("\n")
}
