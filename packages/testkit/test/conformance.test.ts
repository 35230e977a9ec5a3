import { httpConformanceSuite } from "../src/conformance/httpConformanceSuite.ts"
import * as mounts from "./mounts.ts"

httpConformanceSuite("raw respond", mounts.rawMount)
httpConformanceSuite("fetch", mounts.fetchMount)
httpConformanceSuite("Express", mounts.expressBare)
httpConformanceSuite("Express after express.json()", mounts.expressAfterJson)
httpConformanceSuite("Express after parsers with a small limit", mounts.expressAfterSmallJson)
httpConformanceSuite("Express under a prefix", mounts.expressUnderPrefix)
httpConformanceSuite("Express 4 after express.json(), under a prefix", mounts.express4AfterJson)
httpConformanceSuite("Hono", mounts.honoBare)
httpConformanceSuite("Hono under a prefix", mounts.honoUnderPrefix)
httpConformanceSuite("Hono under a parameter", mounts.honoUnderParameter)
httpConformanceSuite("Hono after a middleware that reads the body", mounts.honoAfterJson)
