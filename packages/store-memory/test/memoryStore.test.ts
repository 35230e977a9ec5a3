import { storeSuite } from "@pixcharge/adapter-tests/suites"
import { memoryStore } from "@pixcharge/store-memory"

storeSuite("memory", memoryStore())
