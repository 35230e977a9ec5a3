import { callbackFetch } from "@pixcharge/callback-fetch"
import { callbackDeliverySuite } from "@pixcharge/adapter-tests/suites"

const sandbox = { allowHttp: true, allowPrivateNetworks: true, ports: "any" } as const

callbackDeliverySuite("callbackFetch", ({ ca }) => callbackFetch({ ...sandbox, ca }))
