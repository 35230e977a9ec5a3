import { createAdaptorServer } from "@hono/node-server"
import { pixRouter } from "@pixcharge/express"
import { pixPlugin } from "@pixcharge/fastify"
import { pixRoutes } from "@pixcharge/hono"
import type { Responder } from "@pixcharge/http"
import express from "express"
import Fastify from "fastify"
import { Hono } from "hono"
import { createServer, type Server } from "node:http"

export type ServerOf = (pix: Responder) => Server | Promise<Server>

export const inExpress: ServerOf = (pix) => createServer(express().use(pixRouter(pix)))

export const inHono: ServerOf = (pix) =>
  createAdaptorServer({ fetch: new Hono().route("/", pixRoutes(pix)).fetch }) as Server

export const inFastify: ServerOf = async (pix) => {
  const app = Fastify()
  await app.register(pixPlugin(pix))
  await app.ready()
  return app.server
}
