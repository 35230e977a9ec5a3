import { type Html, type HtmlChild, html } from "@pixcharge/web"

/** A column: its heading, and the cell of a row. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => HtmlChild
  /** Whether its cells are numbers, which stand at the right. */
  readonly isNumber?: boolean
  /**
   * Where its cells stand on phones: `title` and `status` make a row's first line; `rest` takes what room the second has left,
   * and is cut; `none` is left out. By default they are among the second line's details.
   */
  readonly onPhone?: "title" | "status" | "rest" | "none"
}

/** A number among details would mean nothing without its name. */
const placeOnPhone = <Row>({ title, isNumber = false, onPhone }: Column<Row>): Html =>
  onPhone === undefined ? html`${isNumber && html`data-label="${title}"`}` : html`data-on-phone="${onPhone}"`

const renderCell = <Row>(column: Column<Row>, row: Row): Html =>
  html`<td ${column.isNumber === true && html`class="number"`} ${placeOnPhone(column)}>${column.cell(row)}</td>`

/** A list as a table, on phones as rows of two lines. `caption` says what it shows; `none` stands in an empty list. */
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
