import { InvalidOption, type Reply } from "@pixcharge/core"
import { isPixError } from "@pixcharge/embed"
import { type Form, type PageRequest, redirectReply } from "@pixcharge/web"
import type { ConsoleContext, Notice } from "../context/ConsoleContext.ts"
import { sentencePage } from "../pages/failurePage.ts"
import { who } from "../pages/frame.ts"

export const formProblem = (message: string): InvalidOption => new InvalidOption({ message })

export interface ActionRequest {
  readonly params: Readonly<Record<string, string>>
  readonly form: Form
}

export type Action = (context: ConsoleContext, request: ActionRequest) => Promise<Notice>

const ownPage =
  /^(?:console\/(?:recurrences(?:\/[\da-f-]{36})?|charges\/[\da-f-]{36}|events(?:\/[\w-]{1,80})?|calls))?$/

/** Undefined for a form of this console. */
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

/** Runs a form's action, and redirects to its page, which shows the notice. */
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

const reais = /^(?:(\d{1,3}(?:\.\d{3}){1,3})(?:,(\d{1,2}))?|(\d{1,10})(?:[.,](\d{1,2}))?)$/

/** An amount in the console's format, `1,234.56`, because people copy it from the pages. */
const shown = /^\d{1,3}(?:,\d{3}){1,3}\.\d{2}$/

const toPlainAmount = (text: string): string => {
  const amount = text.trim().replace(/^R\$\s?/, "")
  return shown.test(amount) ? amount.replaceAll(",", "") : amount
}

/**
 * Parses `1.234,56`, `19.90`, `19,9` or `R$ 1,234.56` into integer cents; undefined for an empty field. Throws `InvalidOption`.
 */
export const readAmount = (text: string | undefined, field: string): number | undefined => {
  const written = toPlainAmount(text ?? "")
  if (written === "") return undefined
  const [, thousands, thousandsCents, plain = thousands, cents = thousandsCents ?? ""] = reais.exec(written) ?? []
  if (plain === undefined) throw formProblem(`${field} must be an amount in reais, like 19.90.`)
  return Number(plain.replaceAll(".", "")) * 100 + Number(cents.padEnd(2, "0"))
}

/** Reads a name and a text from each line that isn't blank. Throws `InvalidOption`. */
export const readLines = (lines: string | undefined) =>
  (lines ?? "").split(/\r?\n/).flatMap((line) => {
    const [name = "", ...value] = line.split(":")
    if (line.trim() === "") return []
    if (value.length === 0) throw formProblem("Each line must have a name, a colon and a text.")
    return [{ name: name.trim(), value: value.join(":").trim() }]
  })

export const requireAmount = (text: string | undefined, field: string): number => {
  const amountCents = readAmount(text, field)
  if (amountCents === undefined) throw formProblem(`${field} is missing.`)
  return amountCents
}
