import { memoryDirectory } from "@pixcharge/store-memory"
import {
  callbackEndpointsSuite,
  companyDirectorySuite,
  directoryAdminSuite,
  directoryUnderTest,
} from "@pixcharge/testkit/suites"
import * as Effect from "effect/Effect"

const make = Effect.suspend(() => directoryUnderTest(memoryDirectory({ companies: [] })))

companyDirectorySuite("memory", make)
callbackEndpointsSuite("memory", make)
directoryAdminSuite("memory", make)
