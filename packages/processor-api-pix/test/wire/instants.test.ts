import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { brasiliaInstants, readInstant } from "../../src/wire/Instant.ts"
import { chargeReader } from "../../src/wire/Cob.ts"

const noon = Date.UTC(2026, 10, 20, 12)

describe("an instant of a bank", () => {
  it.each([
    ["2026-11-20T12:00:00Z", noon],
    ["2026-11-20t12:00:00z", noon],
    ["2026-11-20 12:00:00", noon],
    ["2026-11-20T12:00", noon],
    ["2026-11-20T09:00:00-03:00", noon],
    ["2026-11-20T09:00:00-0300", noon],
    ["2026-11-20T09:00:00-03", noon],
    ["2026-11-20T12:00:00.358Z", noon + 358],
    ["2026-11-20T12:00:00,5Z", noon + 500],
    // Banco do Brasil wrote instants like this, with ten decimals.
    ["2026-11-20T12:00:00.7184860000", noon + 718],
    // Banks copied this instant from the central bank's example of a charge, without its zone.
    ["2020-09-09T20:15:00.358", Date.UTC(2020, 8, 9, 20, 15, 0, 358)],
    ["2020-01-01T00:00:00Z", Date.UTC(2020, 0, 1)],
  ])("is read from %s", (text, instant) => {
    expect(readInstant(text)).toBe(instant)
  })

  it.each([
    "",
    "12",
    "2026",
    "2026-11-20",
    "20/11/2026 12:00:00",
    "2026-02-30T12:00:00Z",
    "2026-13-01T12:00:00Z",
    "2026-11-20T25:00:00Z",
    "2026-11-20T12:60:00Z",
    "2026-11-20T12:00:00+99:00",
    "2026-11-20T12:00:00ZZ",
    "Fri Nov 20 2026 12:00:00",
    // These are placeholders of runtimes.
    "0001-01-01T00:00:00",
    "1900-01-01T00:00:00Z",
    "1970-01-01T00:00:00Z",
    "2019-12-31T23:59:59Z",
  ])("is not read from %j", (text) => {
    expect(readInstant(text)).toBeUndefined()
  })
})

describe("a due date that is written as an instant", () => {
  const readDueDate = (dataDeVencimento: unknown) =>
    Result.getOrThrow(
      chargeReader([])({ status: "ATIVA", valor: { original: "1.00" }, calendario: { dataDeVencimento } }),
    ).dueDate

  it.each([
    "2026-12-24",
    "2026-12-24T00:00:00",
    "2026-12-24T00:00:00Z",
    "2026-12-24T00:00:00.000Z",
    "2026-12-24T00:00:00-03:00",
    "2026-12-24T03:00:00Z",
    "2026-12-24T12:00:00Z",
    "2026-12-24T23:59:59Z",
    "2026-12-24T23:59:59-03:00",
    "2026-12-24T23:59:59",
    // This is the last second of the day in Brasília.
    "2026-12-25T02:59:59.999Z",
  ])("is read from %s as its day", (text) => {
    expect(readDueDate(text)).toBe("2026-12-24")
  })

  it.each(["24/12/2026", "2026-12-24T99:00:00Z"])("stays unchanged if it is %s", (text) => {
    expect(readDueDate(text)).toBe(text)
  })
})

describe("the answer of a bank that writes Brasília's time", () => {
  const answer = {
    pix: [
      { horario: "2026-11-20T09:00:00Z", devolucoes: [{ horario: { solicitacao: "2026-11-20T09:00:00.1234567890" } }] },
    ],
    revisao: 0,
    solicitacaoPagador: "até 2026-11-20T09:00:00Z",
    criacao: "2026-11-20T12:00:00+00:00",
    nada: null,
  }

  it("gets Brasília's zone for instants without a zone", () => {
    expect(brasiliaInstants(answer, { zoneless: true, marked: false })).toEqual({
      ...answer,
      pix: [
        {
          horario: "2026-11-20T09:00:00Z",
          devolucoes: [{ horario: { solicitacao: "2026-11-20T09:00:00.1234567890-03:00" } }],
        },
      ],
    })
  })

  it("gets Brasília's zone for instants with the mark Z, but not for instants inside texts", () => {
    expect(brasiliaInstants(answer, { zoneless: false, marked: true })).toEqual({
      ...answer,
      pix: [
        {
          horario: "2026-11-20T09:00:00-03:00",
          devolucoes: [{ horario: { solicitacao: "2026-11-20T09:00:00.1234567890" } }],
        },
      ],
    })
    expect(brasiliaInstants("2026-11-20t09:00:00z", { zoneless: false, marked: true })).toBe(
      "2026-11-20t09:00:00-03:00",
    )
    expect(readInstant("2026-11-20T09:00:00-03:00")).toBe(noon)
  })

  it("keeps the mark Z of an instant that would be in the future as Brasília's time", () => {
    const latest = readInstant("2026-11-20T12:01:00Z") ?? 0
    const zones = { zoneless: false, marked: true, latest }
    expect(brasiliaInstants(["2026-11-20T09:01:00Z", "2026-11-20T09:01:00.001Z"], zones)).toEqual([
      "2026-11-20T09:01:00-03:00",
      "2026-11-20T09:01:00.001Z",
    ])
  })

  it("can be nested very deeply", () => {
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as unknown
    expect(() => brasiliaInstants(deep, { zoneless: true, marked: true })).not.toThrow()
  })
})
