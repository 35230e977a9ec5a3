import { memoryStore } from "@pixcharge/store-memory"
import { chargeModelSuite } from "@pixcharge/adapter-tests/suites"

chargeModelSuite("memory", memoryStore())
