import type { Pix } from "@pixcharge/embed"
import type { ApiPix } from "@pixcharge/processor-api-pix"
import { it } from "@pixcharge/adapter-tests/suites"
import type { SimulatedBank } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { describe, expect, vi } from "vitest"
import { account, company, noticeSecrets, otherCompany, strangerCnpj } from "./bank/openBank.ts"
import { noticeAddress } from "../src/notices/noticeAddress.ts"
import { loggedBy, noticeUrl, openShop, type ShopOptions } from "./bank/openShop.ts"

const path = noticeUrl(company)

const notify = (pix: Pix, body: unknown, at = `${path}/pix`): Promise<number> =>
  pix
    .fetch(
      new Request(`https://shop.invalid${at}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    )
    .then(({ status }) => status)

const claimFor = ({ endToEndId, txid }: { readonly endToEndId: string; readonly txid?: string }) => ({
  endToEndId,
  ...(txid !== undefined && { txid }),
  valor: "0.01",
  horario: "2020-01-01T00:00:00Z",
})

const shop = (
  title: string,
  body: (world: {
    readonly pix: Pix
    readonly psp: SimulatedBank
    readonly bank: ApiPix
    readonly issue: (amountCents?: number) => Promise<{ readonly id: string; readonly txid: string }>
    readonly readState: (id: string) => Promise<string>
  }) => Promise<void>,
  options: ShopOptions = {},
) =>
  it.live(title, () =>
    Effect.flatMap(openShop(options), ({ pix, psp, bank }) =>
      Effect.promise(() =>
        body({
          pix,
          psp,
          bank,
          issue: (amountCents = 1990) => pix.issue(company.cnpj, { id: randomUUID(), amountCents }),
          readState: (id) => pix.find(company.cnpj, id).then(({ _tag }) => _tag),
        }),
      ),
    ),
  )

describe("a bank's notice", () => {
  shop("is only a hint, and the recorded payment is the bank's answer to a look-up", async ({ pix, psp, issue }) => {
    const { id, txid } = await issue()
    const payment = psp.pay(company.cnpj, txid)
    expect(await notify(pix, { pix: [claimFor(payment)] })).toBe(200)
    expect(await pix.find(company.cnpj, id)).toMatchObject({
      _tag: "Paid",
      payment: { endToEndId: payment.endToEndId, amountCents: 1990, paidAt: payment.paidAt, otherAmount: false },
    })
  })

  shop(
    "doesn't settle a charge if the bank doesn't confirm it, and must be sent again",
    async ({ pix, issue, readState }) => {
      const { id, txid } = await issue()
      const endToEndId = "E".padEnd(32, "0")
      const output = await loggedBy(async () => {
        expect(await notify(pix, { pix: [claimFor({ endToEndId, txid })] })).toBe(503)
      })
      expect(output).toContain(`WARN (#0): The bank doesn't know the payment of a notice ${endToEndId}`)
      expect(await readState(id)).toBe("Pending")
    },
  )

  shop("can't assign one charge's payment to another charge", async ({ pix, psp, issue, readState }) => {
    const [paid, unpaid] = [await issue(), await issue()]
    const payment = psp.pay(company.cnpj, paid.txid)
    expect(await notify(pix, { pix: [{ ...claimFor(payment), txid: unpaid.txid }] })).toBe(200)
    expect([await readState(paid.id), await readState(unpaid.id)]).toEqual(["Paid", "Pending"])
  })

  shop("records its payment once and without another look-up if it is repeated", async ({ pix, psp, issue }) => {
    const { id, txid } = await issue()
    const claim = claimFor(psp.pay(company.cnpj, txid))
    expect(await Promise.all([1, 2, 3].map(() => notify(pix, { pix: [claim, claim] })))).toEqual([200, 200, 200])
    const before = psp.exchanges.length
    expect(await notify(pix, { pix: [claim] })).toBe(200)
    expect(psp.exchanges.length).toBe(before)
    expect(await pix.find(company.cnpj, id)).toMatchObject({ _tag: "Paid", version: 2 })
  })

  shop("can contain many payments", async ({ pix, psp, issue, readState }) => {
    const charges = await Promise.all(Array.from({ length: 12 }, () => issue()))
    const claims = charges.map(({ txid }) => claimFor(psp.pay(company.cnpj, txid)))
    expect(await notify(pix, { pix: claims })).toBe(200)
    expect(new Set(await Promise.all(charges.map(({ id }) => readState(id))))).toEqual(new Set(["Paid"]))
  })

  shop(
    "must be sent again if one of its payments can't be recorded, but records the other payments",
    async ({ pix, psp, issue, readState }) => {
      const { id, txid } = await issue()
      const claim = claimFor(psp.pay(company.cnpj, txid))
      expect(await notify(pix, { pix: [claimFor({ endToEndId: "E".padEnd(32, "1") }), claim] })).toBe(503)
      expect(await readState(id)).toBe("Paid")
    },
  )

  shop("must be sent again while the bank is unavailable", async ({ pix, psp, issue, readState }) => {
    const { id, txid } = await issue()
    const claim = claimFor(psp.pay(company.cnpj, txid))
    const end = psp.faults.add({ _tag: "Status", status: 500 })
    const output = await loggedBy(async () => expect(await notify(pix, { pix: [claim] })).toBe(503))
    expect(output).toContain("WARN (#0): A notice could not be recorded")
    end()
    expect(await notify(pix, { pix: [claim] })).toBe(200)
    expect(await readState(id)).toBe("Paid")
  })

  shop("records a payment without a charge of ours as unmatched", async ({ pix, psp }) => {
    const payments = [
      psp.payToKey(company.pixKey, 700),
      psp.payToKey(company.pixKey, 800, "f".repeat(32)),
      psp.payToKey(company.pixKey, 900, "LOJA42"),
    ]
    expect(await notify(pix, { pix: payments.map(claimFor) })).toBe(200)
    const kept = []
    for await (const payment of pix.payments(company.cnpj, { from: 0, until: Date.now() + 1_000 })) kept.push(payment)
    expect(kept.map(({ endToEndId }) => endToEndId).toSorted()).toEqual(
      payments.map(({ endToEndId }) => endToEndId).toSorted(),
    )
    expect(kept.every(({ chargeId }) => chargeId === undefined)).toBe(true)
  })

  shop("closes the exception of a payment without a charge once its money was returned", async ({ pix, psp }) => {
    const payment = psp.payToKey(company.pixKey, 700)
    const open = async () => {
      const reasons = []
      for await (const exception of pix.exceptions.list(company.cnpj)) reasons.push(exception.reason)
      return reasons
    }
    await notify(pix, { pix: [claimFor(payment)] })
    expect(await open()).toEqual(["unmatched"])
    psp.returnOutside(payment.endToEndId, 700, "ORIGINAL")
    expect(await notify(pix, { pix: [claimFor(payment), { ...claimFor(payment), devolucoes: [{}] }] })).toBe(200)
    expect(await open()).toEqual([])
  })

  shop("records another company's payment only in that company's books", async ({ pix, psp, issue, readState }) => {
    const { id } = await issue()
    const theirs = await pix.issue(otherCompany.cnpj, { id, amountCents: 500 })
    const payment = psp.pay(otherCompany.cnpj, theirs.txid)
    const before = psp.exchanges.length
    expect(await notify(pix, { pix: [claimFor(payment)] })).toBe(200)
    expect(psp.exchanges.length).toBe(before)
    expect(await notify(pix, { pix: [claimFor(payment)] }, noticeUrl(otherCompany))).toBe(200)
    expect(await readState(id)).toBe("Pending")
    expect((await pix.find(otherCompany.cnpj, id))._tag).toBe("Paid")
  })

  shop(
    "records a payment to another company's key on the account in that company's books",
    async ({ pix, psp }) => {
      const { endToEndId } = psp.payToKey(otherCompany.pixKey, 700)
      expect(await notify(pix, { pix: [claimFor({ endToEndId })] })).toBe(200)
      const [ours, theirs] = [company, otherCompany].map(async ({ cnpj }) => {
        const kept = []
        for await (const payment of pix.payments(cnpj, { from: 0, until: Date.now() + 1_000 })) kept.push(payment)
        return kept.map((payment) => payment.endToEndId)
      })
      expect([await ours, await theirs]).toEqual([[], [endToEndId]])
    },
    { psp: { accounts: [{ ...account, pixKeys: [company.pixKey, otherCompany.pixKey] }] } },
  )

  it.live("ends a refund that the bank rejected, but doesn't end a later attempt if it is repeated", () =>
    Effect.flatMap(openShop(), ({ pix, psp, events }) =>
      Effect.promise(async () => {
        psp.ways.returnPace = "manual"
        const { id, txid } = await pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1990 })
        const payment = psp.pay(company.cnpj, txid)
        await notify(pix, { pix: [claimFor(payment)] })
        await pix.refund(company.cnpj, id)
        const [{ id: first } = { id: "" }] = payment.returns
        psp.endReturn(payment.endToEndId, first, "rejected")
        const failed = { ...claimFor(payment), devolucoes: [{ id: first, status: "NAO_REALIZADO" }] }
        expect(await notify(pix, { pix: [failed] })).toBe(200)
        const reason = "the payer's account is closed"
        expect(await pix.find(company.cnpj, id)).toMatchObject({ _tag: "Paid", failedRefund: { rejection: reason } })
        await vi.waitFor(() =>
          expect(events.filter(({ kind }) => kind === "refund-failed")).toMatchObject([
            { payment: { chargeId: id }, refund: { id: first, amountCents: 1990, reason } },
          ]),
        )
        await pix.refund(company.cnpj, id)
        expect(await notify(pix, { pix: [failed] })).toBe(200)
        expect(await pix.find(company.cnpj, id)).toMatchObject({ _tag: "Refunding", refund: { attempt: 2 } })
      }),
    ),
  )

  shop("records returned money as a return", async ({ pix, psp, issue }) => {
    const { id, txid } = await issue()
    const payment = psp.pay(company.cnpj, txid)
    await notify(pix, { pix: [claimFor(payment)] })
    psp.returnOutside(payment.endToEndId, 990, "ORIGINAL")
    const noticed = { ...claimFor(payment), devolucoes: {} }
    expect(await notify(pix, { pix: noticed })).toBe(200)
    expect(await pix.find(company.cnpj, id)).toMatchObject({
      _tag: "Paid",
      returns: [{ kind: "outside", amountCents: 990 }],
    })
    psp.returnOutside(payment.endToEndId, 1000, "MED_FRAUDE")
    await notify(pix, { pix: [noticed] })
    expect(await pix.find(company.cnpj, id)).toMatchObject({ _tag: "Refunded" })
  })

  shop(
    "is confirmed by the payments in the charge if we can't read single payments",
    async ({ pix, psp, issue, readState }) => {
      const { id, txid } = await issue()
      const { endToEndId } = psp.pay(company.cnpj, txid)
      // The second claim of this payment names its charge.
      expect(await notify(pix, { pix: [{ endToEndId }, { endToEndId, txid }] })).toBe(200)
      expect(await readState(id)).toBe("Paid")
    },
    { psp: { accounts: [{ ...account, scopes: ["cob.write", "cob.read"] }] }, companies: [company] },
  )

  shop("must be sent again after a 404 that a proxy can have sent", async ({ pix, psp, issue, readState }) => {
    const { id, txid } = await issue()
    const claim = claimFor(psp.pay(company.cnpj, txid))
    psp.faults.add({ _tag: "Status", status: 404 }, ({ method }) => method === "GET")
    expect(await notify(pix, { pix: [claim] })).toBe(503)
    expect(await readState(id)).toBe("Pending")
    const { endToEndId } = psp.payToKey(company.pixKey, 300)
    expect(await notify(pix, { pix: [{ endToEndId }] })).toBe(503)
  })

  for (const fault of [
    { _tag: "Status", status: 404 },
    { _tag: "Status", status: 204 },
  ] as const) {
    shop(
      `is confirmed by the payments in the charge if the bank returns ${fault.status} without content for the payment`,
      async ({ pix, psp, issue, readState }) => {
        const { id, txid } = await issue()
        const claim = claimFor(psp.pay(company.cnpj, txid))
        psp.faults.add(fault, ({ path: called }) => called.startsWith("/pix/E"))
        expect(await notify(pix, { pix: [claim] })).toBe(200)
        expect(await readState(id)).toBe("Paid")
      },
    )
  }

  shop("causes no call to the bank if its endToEndId is invalid", async ({ pix, psp, issue }) => {
    const { txid } = await issue()
    const before = psp.exchanges.length
    for (const endToEndId of ["../cob", "E1", "E".padEnd(33, "0"), "E".padEnd(31, "0") + "/"]) {
      expect(await notify(pix, { pix: [claimFor({ endToEndId, txid })] })).toBe(503)
    }
    expect(psp.exchanges.length).toBe(before)
  })

  shop("is rejected if it is longer than 1,024 bytes for each of 1,000 payments", async ({ pix }) => {
    const longest = '{"pix":[]}'.padEnd(1_024_000)
    expect(await notify(pix, longest)).toBe(200)
    expect(await notify(pix, `${longest} `)).toBe(413)
  })

  shop("is rejected before any call to the bank if it has more than 1,000 payments", async ({ pix, psp }) => {
    const before = psp.exchanges.length
    const claims = Array.from({ length: 1001 }, (_, n) => claimFor({ endToEndId: `E${n}`.padEnd(32, "x") }))
    expect(await notify(pix, { pix: claims })).toBe(413)
    expect(psp.exchanges.length).toBe(before)
  })
})

describe("the route of notices", () => {
  for (const at of ["", "/", "/pix", "//pix", "/pix/", "/pix?ignorar="]) {
    shop(`accepts the registered URL with "${at}" appended`, async ({ pix, psp, issue, readState }) => {
      const { id, txid } = await issue()
      expect(await notify(pix, { pix: [claimFor(psp.pay(company.cnpj, txid))] }, path + at)).toBe(200)
      expect(await readState(id)).toBe("Paid")
    })
  }

  shop("accepts and ignores a notice for a company that is no longer ours", async ({ pix, psp }) => {
    const before = psp.exchanges.length
    const claim = claimFor({ endToEndId: "E".padEnd(32, "2") })
    const output = await loggedBy(async () => {
      expect(await notify(pix, { pix: [claim] }, noticeUrl({ cnpj: strangerCnpj }))).toBe(200)
    })
    expect(output).toContain(`WARN (#0): A notice names a company that is no longer ours ${strangerCnpj}`)
    expect(psp.exchanges.length).toBe(before)
  })

  shop("answers 200 to a bank's test call", async ({ pix }) => {
    expect(await notify(pix, { evento: "teste_webhook", data_criacao: "2026-11-20" })).toBe(200)
    expect(await notify(pix, { pix: [] })).toBe(200)
    expect(await notify(pix, {})).toBe(200)
    expect(await notify(pix, [])).toBe(200)
    expect(await notify(pix, [{ pix: [] }])).toBe(200)
    expect(await notify(pix, "")).toBe(200)
  })

  shop(
    "rejects a notice with invalid entries, but records its valid payments",
    async ({ pix, psp, issue, readState }) => {
      const { id, txid } = await issue()
      const claim = claimFor(psp.pay(company.cnpj, txid))
      expect(await notify(pix, { pix: [{ txid }, claim, 1] })).toBe(400)
      expect(await readState(id)).toBe("Paid")
      const listed = await issue()
      const other = claimFor(psp.pay(company.cnpj, listed.txid))
      expect(await notify(pix, [{ pix: "x" }, { pix: [other] }, null])).toBe(400)
      expect(await readState(listed.id)).toBe("Paid")
    },
  )

  shop("ignores an invalid txid, because the bank names the charge", async ({ pix, psp, issue, readState }) => {
    for (const txid of [{}, [], true, "", 0]) {
      const charge = await issue()
      const { endToEndId } = psp.pay(company.cnpj, charge.txid)
      expect(await notify(pix, { pix: [{ endToEndId, txid }] })).toBe(200)
      expect(await readState(charge.id)).toBe("Paid")
    }
  })

  shop(
    "accepts a path that ends in a slash, and a CNPJ with punctuation",
    async ({ pix, psp, bank, issue, readState }) => {
      const { id, txid } = await issue()
      const punctuated = company.cnpj.replace(/^(..)(...)(...)(....)(..)$/, "$1.$2.$3/$4-$5")
      const mountedAt = "https://shop.invalid/pix/"
      await bank.registerWebhook(punctuated, { pixKey: company.pixKey, mountedAt, reconcile: pix.reconcile })
      const address = `/bank${noticeAddress(noticeSecrets, company.cnpj)}`
      const registration = psp.exchanges.findLast(({ path: at }) => at.includes("/webhook/"))
      expect(registration?.request).toEqual({ webhookUrl: `https://shop.invalid/pix${address}` })
      expect(await notify(pix, { pix: [claimFor(psp.pay(company.cnpj, txid))] }, `${address}/pix`)).toBe(200)
      expect(await readState(id)).toBe("Paid")
    },
    { apiPix: { noticesPath: "/bank/" } },
  )

  shop("rejects an invalid body and an unknown method", async ({ pix }) => {
    for (const body of ["{", "[1]", "[[]]", "[{}]", '{"pix":[{}]}', '{"pix":[1]}', '{"pix":"x"}', '[{"pix":"x"}]']) {
      expect(await notify(pix, body), body).toBe(400)
    }
    for (const method of ["PUT", "DELETE", "PATCH"]) {
      const answer = await pix.fetch(new Request(`https://shop.invalid${path}/pix`, { method }))
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"])
    }
  })

  for (const [what, body] of [
    ["a list of bodies", (claim: object) => [{ pix: [claim] }]],
    ["a bare list of payments", (claim: object) => [claim]],
    ["a single payment", (claim: object) => claim],
  ] as const) {
    shop(`accepts a notice that is ${what}`, async ({ pix, psp, issue, readState }) => {
      const { id, txid } = await issue()
      expect(await notify(pix, body(claimFor(psp.pay(company.cnpj, txid))))).toBe(200)
      expect(await readState(id)).toBe("Paid")
    })
  }

  shop("answers a bank that checks the URL by GET or HEAD, without a call to the bank", async ({ pix, psp }) => {
    const before = psp.exchanges.length
    const wrong = path.replace(/.{4}$/, (end) => (end === "0000" ? "1111" : "0000"))
    for (const [called, status] of [
      [path, 200],
      [`${path}/pix`, 200],
      [wrong, 404],
      [`${wrong}/pix`, 404],
    ] as const) {
      for (const method of ["GET", "HEAD"]) {
        const answer = await pix.fetch(new Request(`https://shop.invalid${called}`, { method }))
        expect([method, called, answer.status]).toEqual([method, called, status])
        if (status === 200) expect(await answer.text()).toBe("")
      }
    }
    expect(psp.exchanges.length).toBe(before)
  })
})
