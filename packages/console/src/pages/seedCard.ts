import { type Html, html } from "@pixcharge/web"

/** The form that makes a month of charges. */
export const seedCard = (root: string, fields: Html): Html =>
  html`<form
    method="post"
    action="${root}console/seed"
    class="card"
    aria-labelledby="seed-title"
    data-busy="Making a month of charges…"
  >
    <h2 id="seed-title">A month of charges</h2>
    <p class="muted">
      Thirty days with paid, late, expired, cancelled and refunded charges, exceptions and dead letters, so that lists
      and the portal have something to show. The same number makes the same month. Business time is in the past while it
      is made.
    </p>
    ${fields}
    <div class="row row-end">
      <div class="field">
        <label for="seed">Number</label>
        <input id="seed" name="seed" value="1" inputmode="numeric" autocomplete="off" />
      </div>
      <button class="button">Make it</button>
    </div>
  </form>`
