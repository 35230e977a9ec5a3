import { paymentBody } from "./bodies.ts"
import type { BankWays } from "./BankOptions.ts"
import { distort } from "./distort.ts"
import type { LedgerPayment } from "./Ledger.ts"
import { writeJson } from "./writeJson.ts"

/** One call of a webhook as this bank makes it: what is put after its URL, and its body, as a value and as text. */
export const writeNotice = (payments: ReadonlyArray<LedgerPayment>, ways: BankWays) => {
  const entries = payments.map(paymentBody).map(({ chave, ...rest }) => (ways.keyInNotices ? { chave, ...rest } : rest))
  const standard = distort({ pix: entries }, ways)
  const body = ways.noticeBody?.(standard) ?? standard
  return { suffix: ways.noticeSuffix, body, text: writeJson(body, ways) }
}
