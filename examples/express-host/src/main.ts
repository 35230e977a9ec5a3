import { runHost } from "@pixcharge-examples/demonstration"
import { createServer } from "node:http"
import { orderApp } from "./orderApp.ts"

await runHost((apps) => createServer(orderApp(apps)), { dataFolder: ".pixcharge-express" })
