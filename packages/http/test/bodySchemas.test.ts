import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { ChargeBody } from "../src/wire/schemas/ChargeBody.ts"
import { CredentialsBody } from "../src/wire/schemas/TokenBody.ts"
import { decodeChargeBody } from "../src/wire/ChargeBody.ts"
import { isCredentialsBody } from "../src/wire/TokenBody.ts"

const findFirstPath = (issue: SchemaIssue.Issue): ReadonlyArray<PropertyKey> => {
  switch (issue._tag) {
    case "Pointer":
      return [...issue.path, ...findFirstPath(issue.issue)]
    case "Composite":
      return findFirstPath(issue.issues[0])
    default:
      return []
  }
}

const decode = Schema.decodeUnknownResult(ChargeBody)

/** The field that the document's schema refuses first; undefined for a body that it accepts. */
const refusedBySchema = (body: unknown): string | undefined => {
  const decoded = decode(body)
  return Result.isFailure(decoded) ? findFirstPath(decoded.failure.issue).join(".") : undefined
}

const odd = fc.constantFrom<unknown>(undefined, null, true, 0, 11, 18, "11", "", "text", {}, [], ["text"], {
  length: 1,
})

/** An object with some fields missing or of another type. */
const spoilt = (fields: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 1, arbitrary: odd },
    {
      weight: 9,
      arbitrary: fc.record(
        Object.fromEntries(
          Object.entries(fields).map(([name, value]) => [
            name,
            fc.oneof({ weight: 9, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: odd }),
          ]),
        ),
        { requiredKeys: [] },
      ),
    },
  )

const terms = {
  tpTransacao: 11,
  modPagamento: 18,
  idFaturaPag: "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c",
  valorPagamento: 19.9,
  dataVencimento: "2026-12-25",
}
const payer = { xNome: "Maria Santos", documento: "11144477735" }

const bodies = fc.oneof(odd, fc.record({ formaPagamento: spoilt(terms), cliente: spoilt(payer) }, { requiredKeys: [] }))

it("refuses the fields that the document's schema refuses, in its order", () => {
  const seen = new Set<string | undefined>()
  fc.assert(
    fc.property(bodies, (body) => {
      const refused = refusedBySchema(body)
      seen.add(refused)
      const decoded = decodeChargeBody(body)
      // Of the bodies that the schema accepts, the core's rules refuse some fields.
      if (refused !== undefined) expect(decoded).toEqual(Result.fail(refused))
      else expect(Result.getFailure(decoded)).not.toHaveProperty("value", "")
    }),
    { numRuns: 2_000, seed: 1 },
  )
  expect(seen.size).toBe(11)
})

it("accepts the credentials that the document's schema accepts", () => {
  const credentials = fc.oneof(odd, spoilt({ cnpj: "12345678000195", chave: "secret" }))
  fc.assert(
    fc.property(credentials, (body) => {
      expect(isCredentialsBody(body)).toBe(Schema.is(CredentialsBody)(body))
    }),
    { seed: 1 },
  )
})
