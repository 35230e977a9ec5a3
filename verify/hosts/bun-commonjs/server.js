const { randomUUID } = require("node:crypto")
const { cnpj, pix } = require("./pix.js")

const buy = async () => {
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1990 })
  return Response.redirect(await pix.checkout.link(cnpj, id), 302)
}

const payments = pix.fetchAt("/payments")

const main = async () => {
  // Starts the background work: events are delivered and payments reconciled even if nobody calls.
  await pix.ready()
  const server = Bun.serve({
    port: Number(process.env.PORT ?? 3000),
    hostname: "127.0.0.1",
    routes: {
      "/": () => new Response("a shop"),
      "/buy": buy,
      "/payments/*": (request) => payments(request),
    },
    fetch: () => new Response("not found", { status: 404 }),
  })
  const end = async () => {
    pix.endStreams()
    await server.stop()
    await pix.dispose()
  }
  process.once("SIGTERM", end).once("SIGINT", end)
}

main()
