const { pixRouter } = require("@pixcharge/express")
const express = require("express")
const { pix } = require("./pix.js")

const app = express()
app.use("/payments", pixRouter(pix))
app.get("/", (_request, response) => response.send("a shop"))

const main = async () => {
  // What must be delivered and reconciled goes on from here, whether or not anybody calls.
  await pix.ready()
  const server = app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1")
  process.once("SIGTERM", () => {
    pix.endStreams()
    server.close(() => pix.dispose())
    server.closeIdleConnections()
  })
}

main()
