import { httpConformanceSuite } from "@pixcharge/adapter-tests/conformance"
import * as mounts from "./mounts.ts"

httpConformanceSuite("Express", mounts.expressBare, { rows: "binding" })
httpConformanceSuite("Express after express.json()", mounts.expressAfterJson)
httpConformanceSuite("Express after parsers with a small limit", mounts.expressAfterSmallJson, { rows: "binding" })
httpConformanceSuite("Express after express.text() of every type", mounts.expressAfterText, { rows: "binding" })
httpConformanceSuite("Express after express.raw() of every type", mounts.expressAfterRaw, { rows: "binding" })
httpConformanceSuite("Express under a prefix", mounts.expressUnderPrefix, { rows: "binding" })
httpConformanceSuite("Express 4 after express.json(), under a prefix", mounts.express4AfterJson, { rows: "binding" })
