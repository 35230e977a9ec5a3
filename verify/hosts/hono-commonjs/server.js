const { serve } = require("@hono/node-server")
const { pixRoutes } = require("@pixcharge/hono")
const { Hono } = require("hono")
const { pix } = require("./pix.js")

const app = new Hono()
app.route("/payments", pixRoutes(pix))
app.get("/", (context) => context.text("a shop"))

const main = async () => {
  // What must be delivered and reconciled goes on from here, whether or not anybody calls.
  await pix.ready()
  const server = serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: "127.0.0.1" })
  process.once("SIGTERM", () => {
    pix.endStreams()
    server.close(() => pix.dispose())
    if ("closeIdleConnections" in server) server.closeIdleConnections()
  })
}

main()
