import { parseChargeId } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import { cycleChargeId, parseRecurrenceId } from "@pixcharge/core/recurrence"
import * as Result from "effect/Result"
import { createHash } from "node:crypto"
import { expect, it } from "vitest"

const issuers = ["12345678000195" as Cnpj, "12ABC34501DE35" as Cnpj] as const
const ids = ["7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c", "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b51"].map((id) =>
  Result.getOrThrow(parseRecurrenceId(id)),
)

it("makes a UUID of version 8, different for each company, recurrence, cycle and generation", () => {
  const made = issuers.flatMap((issuer) =>
    ids.flatMap((id) =>
      Array.from({ length: 121 }, (_, cycle) =>
        Array.from({ length: 12 }, (__, generation) => cycleChargeId({ issuer, id }, cycle + 1, generation + 1)),
      ).flat(),
    ),
  )
  expect(new Set(made).size).toBe(2 * 2 * 121 * 12)
  const ofDigest = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  expect(made.filter((id) => !ofDigest.test(id) || Result.isFailure(parseChargeId(id)))).toEqual([])
  expect(new Set(made.map((id) => id.charAt(19))).size).toBe(4)
})

it("makes the same id in every release", () => {
  const [issuer, id = ids[1]] = [issuers[0], ids[0]]
  if (id === undefined) throw new Error("expected an id")
  const made = cycleChargeId({ issuer, id }, 12, 3)
  const bytes = createHash("sha256").update(`12345678000195/${id}/12/3`).digest().subarray(0, 16)
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  expect(made.replaceAll("-", "")).toBe(bytes.toString("hex"))
})
