import { storeSuite } from "@pixcharge/testkit/suites"
import { memoryStore } from "@pixcharge/store-memory"

storeSuite("memory", memoryStore())
