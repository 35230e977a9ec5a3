import type { Choices } from "../choices.ts"
import { webhookOrder } from "./servers.ts"

/** Next.js finds its files in `src` where `src/app` is, and beside `app` otherwise. */
export type NextFolder = "" | "src/"

const writeRoute = (pixModule: string): string =>
  `// At the first request: \`next build\` loads this file, too, where settings may be missing.
const handle = async (request: Request): Promise<Response> => {
  const { pix } = await import("${pixModule}")
  return pix.fetchAt("/api/payments")(request)
}

export const GET = handle
export const POST = handle
export const PUT = handle
export const DELETE = handle
`

const indent = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by)

const registration = `// Not awaited: the bank may call it at once, and Next.js takes calls after this alone.
bank
  .registerWebhook(shop.cnpj, ${indent(webhookOrder, "  ").trim()})
  .catch((error: unknown) => console.error("the webhook isn't registered:", error))`

const writeInstrumentation = (folder: string, { bank }: Choices): string => {
  const hasBank = bank !== "sandbox"
  const lines = [
    `const { ${hasBank ? "bank, pix, shop" : "pix"} } = await import("${folder}/pix")`,
    ...(hasBank ? [`const { setting } = await import("${folder}/settings")`] : []),
    "// What must be delivered and reconciled goes on from here, whether or not anybody calls.",
    "await pix.ready()",
    ...(hasBank ? [registration] : []),
  ]
  return `/** Next.js calls it once when a server starts. */
export const register = async (): Promise<void> => {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return
${indent(lines.join("\n"), "  ")}
}
`
}

/** The routes below `/api/payments`, and what goes on without any request. */
export const writeNextFiles = (choices: Choices, folder: NextFolder): Readonly<Record<string, string>> => ({
  [`${folder}app/api/payments/[...path]/route.ts`]: writeRoute(`../../../../${folder === "" ? "src/" : ""}pix`),
  [`${folder}instrumentation.ts`]: writeInstrumentation(folder === "" ? "./src" : ".", choices),
})
