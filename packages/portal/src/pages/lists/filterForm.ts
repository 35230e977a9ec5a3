import { fold, type Html, type HtmlChild, html } from "@pixcharge/web"

/** The name of the field that chooses a status. */
export const statusField = "situacao"

/** The form that filters a list; `action` is the list's address. With a token it is sent by POST, so that what is searched stands in no URL. */
export const filterForm = (
  action: string,
  fields: HtmlChild,
  {
    submit = "Mostrar",
    below,
    token,
    isOpen = false,
  }: { readonly submit?: string; readonly below?: Html; readonly token?: Html; readonly isOpen?: boolean } = {},
): Html =>
  html`<search class="card filter" aria-label="Filtro">
    ${fold(
      token === undefined ? "Filtros" : "Filtros e busca",
      html`<form class="list-filter" method="${token === undefined ? "get" : "post"}" action="${action}">
        ${token} ${fields}
        <button class="button button-primary">${submit}</button>
      </form>`,
      { isOpen },
    )}
    ${below}
  </search>`

/** A choice of one value, or of all. */
export const choiceField = (
  name: string,
  label: string,
  choices: ReadonlyArray<readonly [value: string, text: string]>,
  chosen: string,
): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${choices.map(
        ([value, text]) => html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`,
      )}
    </select>
  </div>`
