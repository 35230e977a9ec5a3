import { chargeArchiveSuite, chargeStoreSuite, outboxSuite } from "@pixcharge/testkit"
import { memoryStore } from "@pixcharge/store-memory"

chargeStoreSuite("memory", memoryStore())
outboxSuite("memory", memoryStore())
chargeArchiveSuite("memory", memoryStore())
