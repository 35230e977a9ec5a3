import { citusStore } from "@pixcharge/store-citus"
import { type Rights, storeRights } from "@pixcharge/store-postgres/internal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { citusRights } from "../src/cluster/distribution.ts"

/** Lists rights as `GRANT` names them, such as `INSERT on payments`. */
const nameRights = (rights: Rights): ReadonlyArray<string> =>
  Object.entries(rights).flatMap(([name, privileges]) => privileges.map((privilege) => `${privilege} on ${name}`))

it("a start checks the rights of a plain store and the rights that Citus needs, except the right to the view", () => {
  const onCitus = nameRights(citusRights).filter((right) => !nameRights(storeRights).includes(right))
  const owners = ["INSERT on payment_owners", "UPDATE on payment_owners"]
  expect(onCitus.toSorted()).toEqual(["EXECUTE on hold_shard", "INSERT on audit_log", ...owners])
  expect(nameRights(storeRights).filter((right) => !nameRights(citusRights).includes(right))).toEqual([
    "INSERT on audit_entries",
  ])
})

it.each(["pg_catalog", "public", "a-b"])(
  "a schema can't be named %s, and the name is refused before any statement",
  async (schema) => {
    const db = { query: async () => expect.fail("a statement was sent") }
    const failure = await Effect.runPromise(Effect.scoped(Effect.flip(Layer.build(citusStore({ db, schema })))))
    expect(failure.cause).toMatchObject({ _tag: "InvalidSchemaName" })
  },
)
