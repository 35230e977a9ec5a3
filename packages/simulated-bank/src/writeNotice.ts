import { paymentBody } from "./bodies.ts"
import type { BankWays } from "./BankOptions.ts"
import { distort } from "./distort.ts"
import type { LedgerPayment } from "./Ledger.ts"
import { writeJson } from "./writeJson.ts"

/** One call of a webhook in this bank's way: the suffix of its URL, and its body as value and text. */
export const writeNotice = (payments: ReadonlyArray<LedgerPayment>, ways: BankWays) => {
  const entries = payments
    .map(paymentBody)
    .map(({ chave, ...rest }) => (ways.keyInNotices && chave !== undefined ? { chave, ...rest } : rest))
  const standard = distort({ pix: entries }, ways)
  const body = ways.noticeBody?.(standard) ?? standard
  return { suffix: ways.noticeSuffix, body, text: writeJson(body, ways) }
}
