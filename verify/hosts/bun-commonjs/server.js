const { pix } = require("./pix.js")

const payments = pix.fetchAt("/payments")

const main = async () => {
  // What must be delivered and reconciled goes on from here, whether or not anybody calls.
  await pix.ready()
  const server = Bun.serve({
    port: Number(process.env.PORT ?? 3000),
    hostname: "127.0.0.1",
    routes: {
      "/": () => new Response("a shop"),
      "/payments/*": (request) => payments(request),
    },
    fetch: () => new Response("not found", { status: 404 }),
  })
  process.once("SIGTERM", async () => {
    pix.endStreams()
    await server.stop()
    await pix.dispose()
  })
}

main()
