import {
  DirectoryUnavailable,
  DueDateOutOfRange,
  IssuerNotEligible,
  ProcessorRejected,
  ProcessorUnavailable,
  StoreUnavailable,
} from "@pixcharge/core"
import type { LocalDate } from "@pixcharge/core/calendar"
import { aCnpj } from "@pixcharge/adapter-tests/fixtures"
import * as Redacted from "effect/Redacted"
import { expect, it } from "vitest"
import { toFailure, type OperationError, findRetryAfterSeconds } from "../src/wire/messages.ts"

const outage = { operation: "find" }

it.each<readonly [OperationError, number | undefined]>([
  [new ProcessorUnavailable(outage), 5],
  [new ProcessorUnavailable({ ...outage, retryAfterMs: 0 }), 1],
  [new ProcessorUnavailable({ ...outage, retryAfterMs: 1_000 }), 1],
  [new ProcessorUnavailable({ ...outage, retryAfterMs: 1_001 }), 2],
  [new StoreUnavailable(outage), 1],
  [new StoreUnavailable({ ...outage, isRefused: true }), undefined],
  [new DirectoryUnavailable(outage), 1],
  [new ProcessorRejected({ ...outage, reason: Redacted.make("no") }), undefined],
])("finds for %o that the caller should wait for %s seconds", (error, seconds) => {
  expect(findRetryAfterSeconds(error)).toBe(seconds)
})

it("answers 500 without a retry if the store can't keep a value", () => {
  expect(toFailure(new StoreUnavailable(outage)).text).toContain("Repita")
  expect(toFailure(new StoreUnavailable({ ...outage, isRefused: true }))).toMatchObject({
    status: 500,
    text: "Erro interno.",
  })
})

it("names every prerequisite that a company lacks", () => {
  const text = (...missing: IssuerNotEligible["missing"]) =>
    toFailure(new IssuerNotEligible({ issuer: aCnpj, missing })).text
  expect(text("ownBankDomicile")).toBe("Não é possível emitir cobranças: a empresa não tem domicílio bancário próprio.")
  expect(text("resellerWallet", "companyWallet", "association")).toBe(
    "Não é possível emitir cobranças: a revenda não tem a carteira PIX ativa; a empresa não tem a carteira PIX ativa; a empresa não está associada à revenda.",
  )
})

it("names the permitted due dates in Brazilian format", () => {
  const earliest = "2026-11-22" as LocalDate
  const latest = "2031-12-01" as LocalDate
  expect(toFailure(new DueDateOutOfRange({ dueDate: earliest, earliest, latest })).text).toBe(
    "formaPagamento.dataVencimento deve estar entre 22/11/2026 e 01/12/2031.",
  )
})
