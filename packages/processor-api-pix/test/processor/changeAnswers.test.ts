import type { ChargeOrder } from "@pixcharge/core"
import type { Cents } from "@pixcharge/core/money"
import { standardProfile } from "@pixcharge/processor-api-pix"
import { anOrder } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { type BankAnswer, bareAbsences, chargeAnswer, openAnsweringBank } from "../bank/answeringBank.ts"
import { company } from "../bank/openBank.ts"
import { saying } from "../saying.ts"

const refuses = { profile: { ...standardProfile, putOnExisting: "refuses" as const } }

const missing: BankAnswer = [404, { title: "CobNaoEncontrado" }]
const refused: BankAnswer = [400, { title: "CobOperacaoInvalida" }]

interface Script {
  readonly looks: Array<BankAnswer>
  readonly patches: Array<BankAnswer>
}

/** Changes a charge to 25.00. The last answers of a script repeat. */
const changeAt = Effect.fnUntraced(function* (
  script: (shown: (reais: string, more?: object) => BankAnswer) => Script,
  connection: object = refuses,
  seen: Pick<ChargeOrder, "revision"> = {},
) {
  const order = { ...(yield* anOrder(company)), amountCents: 2500 as Cents, ...seen }
  const shown = (reais: string, more: object = {}): BankAnswer => [
    200,
    chargeAnswer(order.txid, { valor: { original: reais }, ...more }),
  ]
  const { looks, patches } = script(shown)
  const next = (answers: Array<BankAnswer>) => (answers.length > 1 ? answers.shift() : answers[0]) ?? missing
  const { processor, calls } = yield* openAnsweringBank(
    (call) => (call.startsWith("GET") ? next(looks) : next(patches)),
    undefined,
    connection,
  )
  return { calls, result: yield* Effect.result(processor.change(order)) }
})

const failure = (tag: string) => ({ _tag: "Failure", failure: { _tag: tag } })

describe("a carried out change", () => {
  it.live("must appear in the bank's answer or in a look-up", () =>
    Effect.gen(function* () {
      for (const [patched, after] of [
        ["25.00", "19.90"],
        ["19.90", "25.00"],
      ] as const) {
        const { result } = yield* changeAt((shown) => ({
          looks: [shown("19.90"), shown(after)],
          patches: [shown(patched)],
        }))
        expect(result._tag).toBe("Success")
      }
      const { result } = yield* changeAt((shown) => ({ looks: [shown("19.90")], patches: [shown("19.90")] }))
      expect(result).toMatchObject(failure("ProcessorRejected"))
      expect(result).toMatchObject({ failure: { reason: saying("the bank keeps other terms") } })
    }),
  )

  it.live("is looked up if the answer is incomplete", () =>
    Effect.gen(function* () {
      for (const patched of [[200, {}], [204], [200, { txid: "other" }]] as const) {
        const { result, calls } = yield* changeAt((shown) => ({
          looks: [shown("19.90"), shown("25.00", { revisao: "1" })],
          patches: [patched],
        }))
        expect(result).toMatchObject({ _tag: "Success", success: { revision: 1 } })
        expect(calls.map((call) => call.split(" ")[0])).toEqual(["GET", "PATCH", "GET"])
      }
    }),
  )

  it.live("isn't rejected if the bank then doesn't show the charge", () =>
    Effect.gen(function* () {
      const { result } = yield* changeAt((shown) => ({ looks: [shown("19.90"), missing], patches: [shown("19.90")] }))
      expect(result).toMatchObject(failure("ProcessorUnavailable"))
    }),
  )

  it.live("must show the order's fees, withdrawal and validity, as far as it shows them", () =>
    Effect.gen(function* () {
      for (const more of [
        { valor: { original: "25.00", modalidadeAlteracao: 1 } },
        { valor: { original: "25.00", multa: { modalidade: 1, valorPerc: "1.00" } } },
        { calendario: { expiracao: 601 } },
        { devedor: { cpf: "52998224725", nome: "Joana" } },
      ]) {
        const { result } = yield* changeAt((shown) => ({
          looks: [shown("19.90"), shown("25.00", more)],
          patches: [[204]],
        }))
        expect(result).toMatchObject(failure("ProcessorRejected"))
      }
      const hidden = { calendario: {} }
      const { result } = yield* changeAt((shown) => ({ looks: [shown("19.90")], patches: [shown("25.00", hidden)] }))
      expect(result._tag).toBe("Success")
    }),
  )
})

describe("a refused change", () => {
  it.live("or an unanswered one was carried out if the bank now shows its terms", () =>
    Effect.gen(function* () {
      for (const status of ["ATIVA", "CONCLUIDA", "REMOVIDA_PELO_PSP"]) {
        for (const patches of [
          [[503], refused],
          [refused],
          [[409, { title: "no" }]],
          [[504]],
          [[429]],
          [[404]],
        ] as const) {
          const { result } = yield* changeAt((shown) => ({
            looks: [shown("19.90"), shown("25.00", { status, revisao: 3 })],
            patches: [...patches],
          }))
          expect(result).toMatchObject({ _tag: "Success", success: { revision: 3 } })
        }
      }
    }),
  )

  it.live("was carried out by an earlier call if a paid charge shows its terms", () =>
    Effect.gen(function* () {
      const { result, calls } = yield* changeAt((shown) => ({
        looks: [shown("25.00", { status: "CONCLUIDA" })],
        patches: [],
      }))
      expect(result._tag).toBe("Success")
      expect(calls).toHaveLength(1)
    }),
  )

  it.live("was carried out by an earlier call if the bank shows its terms under a higher count than before it", () =>
    Effect.gen(function* () {
      for (const patch of [refused, [504]] as ReadonlyArray<BankAnswer>) {
        const at = (seen: Pick<ChargeOrder, "revision">, reais: string) =>
          changeAt((shown) => ({ looks: [shown(reais, { revisao: 3 })], patches: [patch] }), refuses, seen)
        const { result } = yield* at({ revision: 2 }, "25.00")
        expect(result).toMatchObject({ _tag: "Success", success: { revision: 3 } })
        for (const [seen, reais] of [
          [{ revision: 3 }, "25.00"],
          [{}, "25.00"],
          [{ revision: 2 }, "19.90"],
        ] as const) {
          const tag = patch === refused ? "ProcessorRejected" : "ProcessorUnavailable"
          expect((yield* at(seen, reais)).result).toMatchObject(failure(tag))
        }
      }
    }),
  )

  it.live("isn't known to be refused if an attempt is unanswered, or another call is under way", () =>
    Effect.gen(function* () {
      for (const patches of [[[503], refused], [[500]], [[404]], [[409, { title: "no" }]]] as const) {
        for (const before of ["19.90", "25.00"]) {
          const { result } = yield* changeAt((shown) => ({ looks: [shown(before)], patches: [...patches] }))
          expect(result).toMatchObject(failure("ProcessorUnavailable"))
        }
      }
      const { result } = yield* changeAt((shown) => ({ looks: [shown("19.90"), missing], patches: [[503], refused] }))
      expect(result).toMatchObject(failure("ProcessorUnavailable"))
    }),
  )

  it.live("is rejected if the bank shows other terms or an end of the charge", () =>
    Effect.gen(function* () {
      for (const patch of [refused, missing, [403, { title: "AcessoNegado" }]] as ReadonlyArray<BankAnswer>) {
        for (const status of ["ATIVA", "CONCLUIDA", "REMOVIDA_PELO_PSP"]) {
          const { result } = yield* changeAt((shown) => ({
            looks: [shown("19.90"), shown("19.90", { status })],
            patches: [patch],
          }))
          expect(result).toMatchObject(failure("ProcessorRejected"))
        }
      }
      const { result } = yield* changeAt((shown) => ({
        looks: [shown("19.90"), shown("19.90", { status: "CONCLUIDA" })],
        patches: [[503], refused],
      }))
      expect(result).toMatchObject(failure("ProcessorRejected"))
    }),
  )

  for (const [what, bare] of bareAbsences) {
    it.live(`isn't rejected if the look-up gets a ${what}`, () =>
      Effect.gen(function* () {
        const { result } = yield* changeAt((shown) => ({ looks: [shown("19.90"), bare], patches: [refused] }))
        expect(result).toMatchObject(failure("ProcessorUnavailable"))
      }),
    )
  }

  it.live("isn't repeated by PUT while the PATCH can still be carried out", () =>
    Effect.gen(function* () {
      const { result, calls } = yield* changeAt((shown) => ({ looks: [shown("19.90")], patches: [[503], refused] }), {})
      expect(result).toMatchObject(failure("ProcessorUnavailable"))
      expect(calls.some((call) => call.startsWith("PUT"))).toBe(false)
    }),
  )
})

describe("the code of a changed charge", () => {
  const elsewhere = "bank.example/qr/v2/9999999999999999"
  const codeOf = Effect.fnUntraced(function* (more: object, connection: object = refuses) {
    const { result } = yield* changeAt(
      (shown) => ({ looks: [shown("19.90")], patches: [shown("25.00", more)] }),
      connection,
    )
    return result._tag === "Success" ? (result.success.brCode ?? "the same") : "rejected"
  })

  it.live("is the same if the bank shows no code and no other location", () =>
    Effect.gen(function* () {
      expect(yield* codeOf({})).toBe("the same")
      expect(yield* codeOf({ location: undefined })).toBe("the same")
    }),
  )

  it.live("is new if the bank shows another location", () =>
    Effect.gen(function* () {
      expect(yield* codeOf({ location: elsewhere })).toContain(elsewhere)
    }),
  )

  it.live("stays if the bank's code can't be handed out, because the bank has carried out the change", () =>
    Effect.gen(function* () {
      expect(yield* codeOf({ pixCopiaECola: "000201broken" })).toBe("the same")
    }),
  )

  it.live("stays if its own call is refused", () =>
    Effect.gen(function* () {
      const profile = { ...refuses.profile, codeFrom: "codeCall" as const }
      const { result, calls } = yield* changeAt(
        (shown) => ({ looks: [shown("19.90"), missing], patches: [shown("25.00")] }),
        { profile },
      )
      expect(result).toMatchObject({ _tag: "Success", success: { revision: 0 } })
      expect(calls.at(-1)).toMatch(/^GET .*\/qrcode$/)
    }),
  )
})
