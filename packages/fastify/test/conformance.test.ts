import { httpConformanceSuite } from "@pixcharge/testkit/conformance"
import * as mounts from "./mounts.ts"

httpConformanceSuite("Fastify", mounts.fastifyBare)
httpConformanceSuite("Fastify below another plugin, under a parameter", mounts.fastifyNested)
httpConformanceSuite("Fastify after parsers with a small limit", mounts.fastifyAfterParsers)
httpConformanceSuite("Fastify under a prefix, before parsers, with a lenient router", mounts.fastifyBeforeParsers)
