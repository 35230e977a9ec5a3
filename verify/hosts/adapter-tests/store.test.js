import { memoryStore } from "@pixcharge/store-memory"
import { storeSuite } from "@pixcharge/adapter-tests/suites"

storeSuite("a store", memoryStore())
