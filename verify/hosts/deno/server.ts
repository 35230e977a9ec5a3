import { randomUUID } from "node:crypto"
import { cnpj, pix } from "./pix.ts"

const buy = async () => {
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1990 })
  return Response.redirect(await pix.checkout.link(cnpj, id), 302)
}

const payments = pix.fetchAt("/payments")

const handle = (request: Request): Response | Promise<Response> => {
  const { pathname } = new URL(request.url)
  if (pathname.startsWith("/payments/")) return payments(request)
  if (pathname === "/buy") return buy()
  return pathname === "/" ? new Response("a shop") : new Response("not found", { status: 404 })
}

// Starts the background work: events are delivered and payments reconciled even if nobody calls.
await pix.ready()
const server = Deno.serve({ port: Number(Deno.env.get("PORT") ?? 3000), hostname: "127.0.0.1" }, handle)

const end = async () => {
  pix.endStreams()
  await server.shutdown()
  await pix.dispose()
  Deno.exit()
}
Deno.addSignalListener("SIGTERM", end)
Deno.addSignalListener("SIGINT", end)
