import { fold, type Html, type HtmlChild, html } from "@pixcharge/web"

/** The name of the field that chooses a status. */
export const statusField = "situacao"

/** The form that filters a list; `action` is the list's address. */
export const filterForm = (
  action: string,
  fields: HtmlChild,
  { submit = "Mostrar", below }: { readonly submit?: string; readonly below?: Html } = {},
): Html =>
  html`<search class="card filter" aria-label="Filtro">
    ${fold(
      "Filtros",
      html`<form class="list-filter" method="get" action="${action}">
        ${fields}
        <button class="button button-primary">${submit}</button>
      </form>`,
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
