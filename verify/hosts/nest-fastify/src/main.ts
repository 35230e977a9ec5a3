import "reflect-metadata"
import { NestFactory } from "@nestjs/core"
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify"
import { pixPlugin, pixRewriteUrl } from "@pixcharge/fastify"
import { AppModule } from "./app.module.js"
import { pix } from "./pix.js"

const prefix = "/payments"

const bootstrap = async () => {
  const adapter = new FastifyAdapter({ rewriteUrl: pixRewriteUrl({ prefix }) })
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, adapter)
  await app.register(pixPlugin(pix), { prefix })
  app.enableShutdownHooks(["SIGTERM", "SIGINT"])
  await app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1")
}

void bootstrap()
