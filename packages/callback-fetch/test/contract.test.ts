import { callbackFetch } from "@pixcharge/callback-fetch"
import { callbackDeliverySuite } from "@pixcharge/testkit/suites"

const sandbox = { allowHttp: true, allowPrivateNetworks: true, ports: "any" } as const

callbackDeliverySuite("callbackFetch", ({ ca }) => callbackFetch({ ...sandbox, ca }))
