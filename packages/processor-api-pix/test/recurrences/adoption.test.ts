import type { CycleCharge } from "@pixcharge/core/charges"
import type { BankWays } from "@pixcharge/simulated-bank"
import { aPayer } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { company } from "../bank/openBank.ts"
import { aCycleCharge } from "./aRecurrence.ts"
import { it } from "./itSettles.ts"
import { openRecurrences } from "./openRecurrences.ts"

const openShowing = (more: object) =>
  Effect.gen(function* () {
    const shown: { more?: object } = {}
    const reshape: BankWays["reshape"] = (answer, { path }) =>
      shown.more !== undefined && path.startsWith("/cobr/") && answer.status < 300
        ? { ...answer, body: { ...Object(answer.body), ...shown.more } }
        : answer
    const opened = yield* openRecurrences({ ways: { reshape } })
    const charge = aCycleCharge(yield* opened.approve())
    yield* opened.recurrences.charge({ company, charge })
    shown.more = more
    return { ...opened, charge }
  })

const orderAgain = (more: object, retryDays?: CycleCharge["cycle"]["retryDays"]) =>
  Effect.gen(function* () {
    const { charge: ordered, recurrences } = yield* openShowing(more)
    const charge = retryDays ? { ...ordered, cycle: { ...ordered.cycle, retryDays } } : ordered
    const again = yield* Effect.result(recurrences.charge({ company, charge }))
    return again._tag === "Success" ? "adopted" : again.failure._tag
  })

const account = { conta: "1234567", agencia: "1234", tipoConta: "PAGAMENTO" }

describe("a cycle's charge found at the bank", () => {
  const same: Readonly<Record<string, object>> = {
    "shows our key in another form": { chave: company.pixKey.toUpperCase() },
    "shows the account with zeros and signs": { recebedor: { ...account, conta: "000123456-7" } },
    "shows no account": { recebedor: { nome: "LOJA" } },
    "masks the payer's tax id": { devedor: { cpf: `***${aPayer.taxId.slice(3)}`, nome: "M. S." } },
    "shows an empty payer": { devedor: {} },
    "shows a retry policy that API Pix doesn't have": { politicaRetentativa: "?" },
    "shows none of its terms": {
      recebedor: undefined,
      politicaRetentativa: undefined,
      ajusteDiaUtil: undefined,
      idRec: undefined,
      calendario: undefined,
    },
    "writes an unreadable due date": { calendario: { dataDeVencimento: "?" } },
  }
  for (const [what, more] of Object.entries(same)) {
    it.live(`is adopted if the bank ${what}`, () =>
      Effect.map(orderAgain(more), (found) => expect(found).toBe("adopted")),
    )
  }

  const others: Readonly<Record<string, object>> = {
    "another recurrence": { idRec: "RR1234567820260101zzzzzzzzzzz" },
    "another key": { chave: "outra@example.com" },
    "another account": { recebedor: { ...account, conta: "7654321" } },
    "another payer": { devedor: { cpf: "11144477735" } },
    "another policy of retries": { politicaRetentativa: "NAO_PERMITE" },
    "a due date that doesn't change to a business day": { ajusteDiaUtil: false },
  }
  for (const [what, more] of Object.entries(others)) {
    it.live(`is rejected if the bank shows ${what}`, () =>
      Effect.map(orderAgain(more), (found) => expect(found).toBe("ProcessorRejected")),
    )
  }

  for (const politicaRetentativa of ["NAO_PERMITE", "PERMITE_3R_7D"]) {
    it.live(`is adopted under the policy ${politicaRetentativa} if it has no days for retries`, () =>
      Effect.map(orderAgain({ politicaRetentativa }, []), (found) => expect(found).toBe("adopted")),
    )
  }

  const foreign: Readonly<Record<string, object>> = {
    "another recurrence": { idRec: "RR1234567820260101zzzzzzzzzzz" },
    "another payer, and no recurrence": { idRec: undefined, devedor: { cpf: "11144477735" } },
    "another account, and no recurrence": { idRec: undefined, recebedor: { ...account, conta: "7654321" } },
  }
  for (const [what, more] of Object.entries(foreign)) {
    it.live(`isn't taken for our charge, and shows no payments, if the bank shows ${what}`, () =>
      Effect.gen(function* () {
        const { charge, recurrences } = yield* openShowing(more)
        expect(yield* recurrences.lookupCharge(charge)).toEqual({
          status: "unknown",
          isOfAnother: true,
          payments: [],
          returns: [],
          debit: { status: "absent", attempts: [] },
        })
      }),
    )
  }

  it.live("stays ours if its company changes the account after the charge was confirmed", () =>
    Effect.gen(function* () {
      const { charge, recurrences } = yield* openShowing(foreign["another account, and no recurrence"] ?? {})
      const confirmed: CycleCharge = { ...charge, debit: { status: "registered", attempts: [], retries: [] } }
      expect((yield* recurrences.lookupCharge(confirmed)).debit.status).toBe("active")
    }),
  )

  it.live("is ours if the bank shows our recurrence with another account and payer", () =>
    Effect.gen(function* () {
      const { charge, recurrences } = yield* openShowing({ ...others["another account"], ...others["another payer"] })
      expect((yield* recurrences.lookupCharge(charge)).debit.status).toBe("active")
    }),
  )
})
