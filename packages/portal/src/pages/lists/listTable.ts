import { type Html, type HtmlChild, html } from "@pixcharge/web"

/** A column: its heading, and the cell of a row. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => HtmlChild
  /** Whether its cells are numbers, which stand at the right. */
  readonly isNumber?: boolean
}

const renderCell = <Row>({ title, cell, isNumber = false }: Column<Row>, row: Row): Html =>
  html`<td data-label="${title}" ${isNumber && html`class="number"`}>${cell(row)}</td>`

/** A list as a table, on phones as cards. `caption` says what it shows; `none` stands in an empty list. */
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
