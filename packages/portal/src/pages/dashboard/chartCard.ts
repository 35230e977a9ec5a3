import { type Html, html } from "@pixcharge/web"
import type { Tone } from "../../charts/barChart.ts"

/** The parts of a card. */
export interface ChartCard {
  readonly id: string
  readonly title: string
  /** What the chart shows, in a sentence. */
  readonly lead: string
  readonly drawing: Html
  /** Whether it has a row of its own. */
  readonly isWide?: boolean
  /** The meaning of the tones, if there are several. */
  readonly legend?: ReadonlyArray<{ readonly tone: Tone; readonly label: string }>
  /** The figures as a table. Its first column names the row. */
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

/** A chart with its heading, what it shows in a sentence, and the same figures as a table. */
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
