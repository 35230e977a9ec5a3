import { afterAll } from "vitest"
import { closeServed } from "../src/serveHost.ts"

afterAll(closeServed)
