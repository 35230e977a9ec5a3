import { fold, type Html, html, type HtmlChild } from "@pixcharge/web"

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => HtmlChild
  readonly isNumber?: boolean
  /**
   * The cell's place on phones, where rows have two lines. `title` and `status` are on the first line; `rest` is at the end of
   * the second line, where it can be cut off; `none` is hidden. Default: a detail on the second line.
   */
  readonly onPhone?: "title" | "status" | "rest" | "none"
}

/** A number among the details gets its column's title as a label. */
const placeOnPhone = <Row>({ title, isNumber = false, onPhone }: Column<Row>): Html =>
  onPhone === undefined ? html`${isNumber && html`data-label="${title}"`}` : html`data-on-phone="${onPhone}"`

const renderCell = <Row>(column: Column<Row>, row: Row): Html =>
  html`<td ${column.isNumber === true && html`class="number"`} ${placeOnPhone(column)}>${column.cell(row)}</td>`

/** A table whose rows have two lines on phones. `caption` names its content; `none` is the text of an empty list. */
export const listTable = <Row>(
  caption: string,
  columns: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>,
  none: HtmlChild,
): Html =>
  rows.length === 0
    ? html`<p class="muted">${caption}</p>
        <p class="card empty">${none}</p>`
    : html`<div class="table-scroll" role="region" aria-label="${caption}" tabindex="0">
        <table class="table table-stacked">
          <caption>
            ${caption}
          </caption>
          <thead>
            <tr>
              ${columns.map(
                ({ title, isNumber = false }) =>
                  html`<th scope="col" ${isNumber && html`class="number"`}>${title}</th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (row) =>
                html`<tr>
                  ${columns.map((column) => renderCell(column, row))}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`

export const statusField = "situacao"

/** The filter of a list. `action` is the list's address. With a token, the form uses POST to keep the search out of URLs. */
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

const pagerTexts = {
  label: "Páginas da lista",
  first: "Voltar ao início",
  previous: "Página anterior",
  next: "Próxima página",
}

export const cursorField = "cursor"
/** The field with the cursors of the previous pages; the nearest page is last. */
const beforeField = "antes"

/** The maximum number of cursors in an address. Beyond it, the only way back is the link to the first page. */
const maxBefore = 20

interface Pages {
  readonly query: URLSearchParams
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  /** Undefined on the last page. */
  readonly next: string | undefined
}

/** The links between the pages of a list; empty if there is only one page. */
export const pager = ({ query, path, fields, next }: Pages): Html => {
  const at = query.get(cursorField) || undefined
  const before = query.getAll(beforeField)
  const link = (text: string, cursor = "", trail: ReadonlyArray<string> = []): Html => {
    const search = new URLSearchParams({ ...fields, ...(cursor !== "" && { [cursorField]: cursor }) })
    for (const each of trail) search.append(beforeField, each)
    return html`<a class="button button-quiet" href="${path}?${search.toString()}">${text}</a>`
  }
  if (at === undefined && next === undefined) return html``
  return html`<nav class="pager" aria-label="${pagerTexts.label}">
    ${at !== undefined && link(pagerTexts.first)}
    ${before.length > 0 && link(pagerTexts.previous, before.at(-1), before.slice(0, -1))}
    ${next !== undefined && link(pagerTexts.next, next, [...before, at ?? ""].slice(-maxBefore))}
  </nav>`
}
