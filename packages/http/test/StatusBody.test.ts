import {
  aCompany,
  aPaidCharge,
  aPayment,
  aPendingCharge,
  aRefundedCharge,
  aRefundingCharge,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import { expect, it } from "vitest"
import { refundBody, statusBody } from "../src/wire/StatusBody.ts"

const minute = 60_000
const pending = aPendingCharge()
const payment = aPayment(pending, { paidAt: fixtureNow + minute, recordedAt: fixtureNow + 2 * minute })
const paid = { ...aPaidCharge(pending, payment), updatedAt: fixtureNow + 3 * minute }

it("shows the times of a charge's payment, recording, creation and last change in separate fields", () => {
  expect(statusBody(paid, aCompany()).data.response).toMatchObject({
    dTransacao: "2026-06-03T15:01:00.000Z",
    dRetorno: "2026-06-03T15:02:00.000Z",
    dInsert: "2026-06-03T12:00:00.000",
    dUpdate: "2026-06-03T12:03:00.000",
    viaCliente: expect.stringContaining("VIA DO CLIENTE"),
    viaEstabelecimento: expect.stringContaining("VIA DO ESTABELECIMENTO"),
  })
})

it("shows when a refund was requested, then when it was complete", () => {
  const refunding = aRefundingCharge(paid)
  expect(refundBody(refunding).data).toMatchObject({
    retTexto: "Estorno solicitado; em andamento.",
    dRetorno: "2026-06-03T15:04:00.000Z",
  })
  expect(refundBody(aRefundedCharge(refunding)).data).toMatchObject({
    retTexto: "Estorno realizado com sucesso.",
    dRetorno: "2026-06-03T15:05:00.000Z",
  })
})
