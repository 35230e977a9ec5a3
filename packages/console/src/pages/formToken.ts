import { type Html, html } from "@pixcharge/web"
import type { ConsoleContext } from "../ConsoleContext.ts"

/** A console has one user. */
export const who = "developer"

/** The hidden fields of each form: its token, and the page to which its action leads back. */
export const formFields = async ({ csrf }: Pick<ConsoleContext, "csrf">, back: string): Promise<Html> =>
  html`<input type="hidden" name="csrf" value="${await csrf.token(who)}" /><input
      type="hidden"
      name="back"
      value="${back}"
    />`
