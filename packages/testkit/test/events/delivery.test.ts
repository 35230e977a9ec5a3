import { memoryStore } from "@pixcharge/store-memory"
import { eventDeliverySuite } from "@pixcharge/testkit"

eventDeliverySuite("memory", memoryStore())
