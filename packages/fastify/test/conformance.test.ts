import { httpConformanceSuite } from "@pixcharge/adapter-tests/conformance"
import * as mounts from "./mounts.ts"

httpConformanceSuite("Fastify", mounts.fastifyBare, { rows: "binding" })
httpConformanceSuite("Fastify below another plugin, under a parameter", mounts.fastifyNested, { rows: "binding" })
httpConformanceSuite("Fastify after parsers with a small limit", mounts.fastifyAfterParsers, { rows: "binding" })
httpConformanceSuite("Fastify under a prefix, before parsers, with a lenient router", mounts.fastifyBeforeParsers, {
  rows: "binding",
})
