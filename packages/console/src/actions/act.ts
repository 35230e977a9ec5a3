import type { Reply } from "@pixcharge/core"
import { isPixError } from "@pixcharge/embed"
import { type Form, type PageRequest, redirectReply } from "@pixcharge/web"
import type { ConsoleContext } from "../ConsoleContext.ts"
import type { Notice } from "../Notices.ts"
import { sentencePage } from "../pages/failurePage.ts"
import { who } from "../pages/formToken.ts"

/** What an action is given. */
export interface ActionRequest {
  readonly params: Readonly<Record<string, string>>
  readonly form: Form
}

/** Changes something, and says what came of it. */
export type Action = (context: ConsoleContext, request: ActionRequest) => Promise<Notice>

/** Pages to which an action goes back, as links from the root. */
const ownPage = /^(?:console\/(?:charges\/[\da-f-]{36}|events(?:\/[\w-]{1,80})?|calls))?$/

/** The answer to a form that no page of ours sent; undefined for one of our own. */
export const refusedForm = async (
  { csrf }: ConsoleContext,
  { exchange, root }: Pick<PageRequest, "exchange" | "root">,
  form: Form,
): Promise<Reply | undefined> =>
  (await csrf.isOwn(exchange, who, form["csrf"]))
    ? undefined
    : sentencePage(root, 403, "This form is not from a page of this console, or is too old. Load the page anew.")

const problemOf = (error: unknown): Notice => {
  if (!isPixError(error)) throw error
  return { tone: "bad", text: error._tag === "InvalidOption" ? error.message : `${error._tag}: ${error.message}` }
}

/** The handler of an action's form: it goes back to the page, which says what came of it. */
export const act =
  (context: ConsoleContext, action: Action) =>
  async <Path extends string>(request: PageRequest<Path>): Promise<Reply> => {
    const form = await request.form()
    const refused = await refusedForm(context, request, form)
    if (refused !== undefined) return refused
    const { back = "" } = form
    const notice = await action(context, { params: request.params, form }).catch(problemOf)
    const name = context.notices.keep(notice)
    return redirectReply(`${request.root}${ownPage.test(back) ? back : ""}?notice=${name}`)
  }
