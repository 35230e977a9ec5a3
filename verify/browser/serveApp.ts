import { createAdaptorServer } from "@hono/node-server"
import { pixRouter } from "@pixcharge/express"
import { pixPlugin } from "@pixcharge/fastify"
import { pixRoutes } from "@pixcharge/hono"
import { fetchHandler, type Responder } from "@pixcharge/http"
import express from "express"
import { fastify } from "fastify"
import { Hono } from "hono"
import { createServer, type Server } from "node:http"
import { type Served, serveHost } from "./serveHost.ts"

const hosts = {
  express: (app, prefix) => createServer(express().use(prefix, pixRouter(app))),
  fastify: async (app, prefix) => {
    const host = fastify()
    await host.register(pixPlugin(app), { prefix })
    await host.ready()
    return host.server
  },
  fetch: (app, prefix) => createAdaptorServer({ fetch: fetchHandler(app, prefix) }) as Server,
  hono: (app, prefix) => createAdaptorServer({ fetch: new Hono().route(prefix, pixRoutes(app)).fetch }) as Server,
} satisfies Record<string, (app: Responder, prefix: string) => Server | Promise<Server>>

export type Binding = keyof typeof hosts

export const bindings = Object.keys(hosts) as ReadonlyArray<Binding>

export const serveApp = async (
  app: Responder,
  { prefix = "/", binding = "hono" }: { readonly prefix?: string; readonly binding?: Binding } = {},
): Promise<Served> => serveHost(await hosts[binding](app, prefix))
