import { chargeArchiveSuite, chargeStoreSuite, outboxSuite, reconciliationsSuite } from "@pixcharge/testkit/suites"
import { memoryStore } from "@pixcharge/store-memory"

chargeStoreSuite("memory", memoryStore())
outboxSuite("memory", memoryStore())
chargeArchiveSuite("memory", memoryStore())
reconciliationsSuite("memory", memoryStore())
