import { afterAll } from "vitest"
import { closeServed } from "../serveHost.ts"

afterAll(closeServed)
