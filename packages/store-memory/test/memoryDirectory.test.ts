import { CallbackEndpoints, CompanyDirectory } from "@pixcharge/core"
import { memoryDirectory } from "@pixcharge/store-memory"
import { callbackEndpointsSuite, companyDirectorySuite, type MakeDirectory } from "@pixcharge/testkit/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const make: MakeDirectory = Effect.gen(function* () {
  const list = memoryDirectory({ companies: [] })
  const context = yield* Layer.build(list)
  return {
    directory: Context.get(context, CompanyDirectory),
    endpoints: Context.get(context, CallbackEndpoints),
    putCompany: (company) => Effect.sync(() => list.putCompany(company)),
    putReseller: (reseller) => Effect.sync(() => list.putReseller(reseller)),
    rotateKey: (cnpj, key) => Effect.sync(() => list.rotateKey(cnpj, key)),
  }
})

companyDirectorySuite("memory", make)
callbackEndpointsSuite("memory", make)
