import "reflect-metadata"
import { NestFactory } from "@nestjs/core"
import type { NestExpressApplication } from "@nestjs/platform-express"
import { pixRouter } from "@pixcharge/express"
import { AppModule } from "./app.module.js"
import { pix } from "./pix.js"

const bootstrap = async () => {
  const app = await NestFactory.create<NestExpressApplication>(AppModule)
  app.use("/payments", pixRouter(pix))
  app.enableShutdownHooks(["SIGTERM", "SIGINT"])
  await app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1")
}

void bootstrap()
