import type { CompanyInput } from "@pixcharge/core/directory"
import type { FeesInput } from "@pixcharge/core/money"
import type { SandboxPix } from "@pixcharge/embed"
import type { Csrf } from "@pixcharge/web"
import type { CallLog } from "./calls/CallLog.ts"
import type { ConsoleOptions } from "./ConsoleOptions.ts"
import type { LiveFeed } from "./LiveFeed.ts"
import type { Notices } from "./Notices.ts"
import type { EventReceiver } from "./receiver/EventReceiver.ts"

/** What the pages and actions of a console work with. */
export interface ConsoleContext {
  readonly pix: SandboxPix
  readonly options: ConsoleOptions
  readonly calls: CallLog
  readonly receiver: EventReceiver
  readonly feed: LiveFeed
  readonly notices: Notices
  readonly csrf: Csrf
  /** The company with the fees that the form set last. */
  company: CompanyInput
  /** While a month of charges is made, pages get its progress and not each event. */
  isSeeding: boolean
}

/** Registers the company with these fees, for the next charges with a due date. */
export const registerWithFees = async (context: ConsoleContext, fees: FeesInput | undefined): Promise<void> => {
  const { fees: before, ...rest } = context.company
  if (JSON.stringify(before) === JSON.stringify(fees)) return
  const company = { ...rest, ...(fees !== undefined && { fees }) }
  await context.pix.directory.putCompany(company)
  context.company = company
}
