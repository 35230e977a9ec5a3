import type { Choices } from "../choices.ts"
import type { Project } from "../Project.ts"
import { issueImports } from "./serverParts.ts"
import type { Source } from "./writeSource.ts"

const writeRoutes = (pix: string): Source => ({
  imports: { [pix]: "{ openPix }" },
  body: `// Payers' pages, and the bank's notices.
const handle = async (request«: Request») => {
  const { pix } = await openPix()
  return pix.fetchAt("/api/payments")(request)
}

export const GET = handle
export const POST = handle
export const PUT = handle
export const DELETE = handle
`,
})

const writeBuy = (pix: string): Source => ({
  imports: { ...issueImports, [pix]: "{ openPix }" },
  body: `export const POST = async () => {
  const { pix, shop } = await openPix()
  // Take your order's id and amount: the same id twice is the same charge.
  const { id, brCode } = await pix.issue(shop.cnpj, { id: randomUUID(), amountCents: 1990 })
  return Response.json({ id, brCode, link: await pix.checkout.link(shop.cnpj, id) })
}
`,
})

const registration = `
  // Not awaited: the bank may call the webhook at once, and Next.js answers only once this function has returned.
  registerWebhook().catch((error«: unknown») => console.error("the webhook isn't registered:", error))`

const writeInstrumentation = ({ bank }: Choices): Source => ({
  imports: {},
  body: `/** Next.js calls this function once when a server starts. */
export const register = async () => {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return
  const { openPix } = await import("./lib/pix")
  const { pix${bank === "sandbox" ? "" : ", registerWebhook"} } = await openPix()
  // Starts the background work: events are delivered and payments reconciled even if nobody calls.
  await pix.ready()${bank === "sandbox" ? "" : registration}
}
`,
})

export const writeNextFiles = (choices: Choices, { source }: Project): Readonly<Record<string, Source>> => {
  const app = source.replace(/lib\/$/, "")
  return {
    [`${app}app/api/payments/[...path]/route`]: writeRoutes("../../../../lib/pix"),
    [`${app}app/api/buy/route`]: writeBuy("../../../lib/pix"),
    [`${app}instrumentation`]: writeInstrumentation(choices),
  }
}
