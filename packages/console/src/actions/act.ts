import type { Reply } from "@pixcharge/core"
import { isPixError } from "@pixcharge/embed"
import { type Form, type PageRequest, redirectReply } from "@pixcharge/web"
import type { ConsoleContext } from "../ConsoleContext.ts"
import type { Notice } from "../Notices.ts"
import { sentencePage } from "../pages/failurePage.ts"
import { who } from "../pages/formToken.ts"

/** The input of an action. */
export interface ActionRequest {
  readonly params: Readonly<Record<string, string>>
  readonly form: Form
}

/** Changes something, and returns the notice for the next page. */
export type Action = (context: ConsoleContext, request: ActionRequest) => Promise<Notice>

/** The pages that an action may lead back to, as links from the root. */
const ownPage =
  /^(?:console\/(?:recurrences(?:\/[\da-f-]{36})?|charges\/[\da-f-]{36}|events(?:\/[\w-]{1,80})?|calls))?$/

/** The reply to a form that no page of ours sent; undefined for one of our own. */
export const refusedForm = async (
  { csrf }: ConsoleContext,
  { exchange, root }: Pick<PageRequest, "exchange" | "root">,
  form: Form,
): Promise<Reply | undefined> =>
  (await csrf.isOwn(exchange, who, form["csrf"]))
    ? undefined
    : sentencePage(root, 403, "This form is not from a page of this console, or is too old. Load the page again.")

const toNotice = (error: unknown): Notice => {
  if (!isPixError(error)) throw error
  return { tone: "bad", text: error._tag === "InvalidOption" ? error.message : `${error._tag}: ${error.message}` }
}

/** Makes the handler of an action's form. It leads back to the page, which shows the notice. */
export const act =
  (context: ConsoleContext, action: Action) =>
  async <Path extends string>(request: PageRequest<Path>): Promise<Reply> => {
    const form = await request.form()
    const refused = await refusedForm(context, request, form)
    if (refused !== undefined) return refused
    const { back = "" } = form
    const notice = await action(context, { params: request.params, form }).catch(toNotice)
    const name = context.notices.keep(notice)
    return redirectReply(`${request.root}${ownPage.test(back) ? back : ""}?notice=${name}`)
  }
