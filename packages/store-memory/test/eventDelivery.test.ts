import { callbackFetch } from "@pixcharge/callback-fetch"
import { memoryStore } from "@pixcharge/store-memory"
import { eventDeliverySuite } from "@pixcharge/adapter-tests/suites"

eventDeliverySuite("memory", {
  store: memoryStore(),
  delivery: ({ ca }) => callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any", ca }),
})
