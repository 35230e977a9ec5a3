import { pixRouter } from "@pixcharge/express"
import express from "express"
import { pix } from "./pix.js"

const app = express()
app.use("/payments", pixRouter(pix))
app.get("/", (_request, response) => void response.send("a shop"))

const main = async () => {
  // What must be delivered and reconciled goes on from here, whether or not anybody calls.
  await pix.ready()
  const server = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1")
  process.once("SIGTERM", () => {
    pix.endStreams()
    server.close(() => void pix.dispose())
    server.closeIdleConnections()
  })
}

void main()
