import { type Html, html } from "@pixcharge/web"
import type { Tone } from "../../charts/barChart.ts"

export interface ChartCard {
  readonly id: string
  readonly title: string
  /** A sentence with the main result of the chart. */
  readonly lead: string
  readonly drawing: Html
  readonly isWide?: boolean
  readonly legend?: ReadonlyArray<{ readonly tone: Tone; readonly label: string }>
  /** The columns of the figures' table. The first column names the row. */
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

const row = ([name = "", ...values]: ReadonlyArray<string>): Html =>
  html`<tr>
    <th scope="row">${name}</th>
    ${values.map((value) => html`<td>${value}</td>`)}
  </tr>`

const figures = ({ id, title, columns: [name = "", ...columns], rows }: ChartCard): Html =>
  html`<details class="chart-figures">
    <summary>Ver em números<span class="visually-hidden">: ${title}</span></summary>
    <div class="table-scroll" role="region" aria-labelledby="${id}" tabindex="0">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">${name}</th>
            ${columns.map((column) => html`<th scope="col">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(row)}
        </tbody>
      </table>
    </div>
  </details>`

export const chartCard = (card: ChartCard): Html =>
  html`<section class="card chart-card${card.isWide === true ? " chart-card-wide" : ""}" aria-labelledby="${card.id}">
    <h2 id="${card.id}">${card.title}</h2>
    <p class="chart-lead">${card.lead}</p>
    ${card.drawing}
    ${
      card.legend &&
      html`<ul class="chart-legend">
        ${card.legend.map(({ tone, label }) => html`<li><span class="chart-swatch chart-swatch-${tone}"></span>${label}</li>`)}
      </ul>`
    }
    ${figures(card)}
  </section>`

const sizes = [
  [1e12, "tri"],
  [1e9, "bi"],
  [1e6, "mi"],
  [1e3, "mil"],
] as const

const writeNumber = (value: number): string => String(Number(value.toFixed(2))).replace(".", ",")

/** Formats a round number for an axis: `1,5 mil`, `250`, `0,05`. */
export const shortNumber = (value: number): string => {
  const [size, name] = sizes.find(([least]) => value >= least) ?? [1, undefined]
  return name === undefined ? writeNumber(value) : `${writeNumber(value / size)} ${name}`
}

export const shortReais = (cents: number): string => shortNumber(cents / 100)
