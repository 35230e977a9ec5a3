import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import {
  callbackEndpointsSuite,
  companyDirectorySuite,
  directoryAdminSuite,
  directoryAuditSuite,
  directoryUnderTest,
} from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const make = Effect.suspend(() => directoryUnderTest(memoryDirectory({ companies: [] })))

companyDirectorySuite("memory", make)
callbackEndpointsSuite("memory", make)
directoryAdminSuite("memory", make)
directoryAuditSuite("memory", () => Layer.merge(memoryDirectory({ companies: [] }), memoryStore()))
