import { memoryStore } from "@pixcharge/store-memory"
import { storeSuite } from "@pixcharge/testkit/suites"

storeSuite("a store", memoryStore())
