import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { inspect } from "node:util"
import { describe, expect } from "vitest"
import { logFailure } from "@pixcharge/core/internal"
import { type BankAnswer, openAnsweringBank } from "./bank/answeringBank.ts"
import { company } from "./bank/openBank.ts"
import { tellTale } from "./tellTale.ts"

const prose = "Maria das Dores, 529.982.247-25, maria@example.com"

const refusals: ReadonlyArray<readonly [what: string, answer: BankAnswer, cause: string]> = [
  ["in OAuth's form", [400, { error: "invalid_scope", error_description: prose }], "HTTP 400 invalid_scope"],
  ["with the code in a text", [401, { message: `${prose}: invalid_client` }], "HTTP 401 invalid_client"],
  ["in a bank's own form", [403, { mensagens: [{ mensagem: "unauthorized_client" }] }], "HTTP 403 unauthorized_client"],
  ["with a web page", [403, `<html>${prose}: Access Denied</html>`], "HTTP 403"],
  ["with status 200", [200, { error: "invalid_grant", error_description: prose }], "HTTP 200 invalid_grant"],
  ["with an empty body", [401], "HTTP 401"],
]

describe("a refusal of a token", () => {
  for (const [what, answer, cause] of refusals) {
    it.live(`appears only as its code in error, diagnosis and log if it comes ${what}`, () =>
      Effect.gen(function* () {
        const { bank, processor } = yield* openAnsweringBank(() => [200, {}], answer)
        const { layer, everything, logged } = tellTale()
        const ended = yield* Effect.exit(
          processor.payments(company.cnpj, { from: 0, until: 1_000 }).pipe(
            Effect.tapError((error) => logFailure("Warn", "The payments could not be listed", error)),
            Effect.provide(layer),
          ),
        )
        expect(inspect(ended, { depth: 20 })).toContain(`${cause}: the bank gives no token`)
        expect(logged.join()).toContain(`'${cause}'`)
        const findings = yield* Effect.promise(async () => (await bank.processor.diagnose?.({})) ?? [])
        expect(findings.at(-1)?.message).toMatch(
          new RegExp(`^${cause}: the bank gives no token: check baseUrl, clientId, .* the scopes`),
        )
        const all = [inspect(ended, { depth: 20 }), JSON.stringify(findings), yield* everything].join()
        for (const part of ["Maria", "529.982", "maria@example.com"]) expect(all).not.toContain(part)
        expect(Exit.isFailure(ended)).toBe(true)
      }),
    )
  }
})
