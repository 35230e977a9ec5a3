import { memoryStore } from "@pixcharge/store-memory"
import { chargeModelSuite } from "@pixcharge/testkit"

chargeModelSuite("memory", memoryStore())
