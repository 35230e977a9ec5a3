import { memoryStore } from "@pixcharge/store-memory"
import { chargeModelSuite } from "@pixcharge/testkit/suites"

chargeModelSuite("memory", memoryStore())
