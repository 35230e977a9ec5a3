import { type Html, html } from "@pixcharge/web"
import { randomUUID } from "node:crypto"

const sample = "student-1: 450.00\nstudent-2: 480.00\nstudent-3: 0"

/** The form's id names its charges, so a form that is sent twice issues them once. */
export const manyForm = (root: string, dueDate: string, fields: Html): Html =>
  html`<details class="card">
    <summary>Many at once</summary>
    <form
      method="post"
      action="${root}console/many"
      class="stack details-body"
      data-busy="Issuing the charges…"
      aria-label="Issue many charges"
    >
      ${fields}<input type="hidden" name="batch" value="${randomUUID()}" />
      <div class="field">
        <label for="lines">Charges</label>
        <textarea id="lines" name="lines" rows="5" aria-describedby="lines-hint">${sample}</textarea>
        <p class="hint" id="lines-hint">
          On each line your reference, a colon and an amount in reais. <code>pix.issueMany</code> issues them; a refused
          line doesn't stop the others.
        </p>
      </div>
      <div class="field">
        <label for="manyDueDate">Due date of all</label>
        <input id="manyDueDate" name="dueDate" type="date" value="${dueDate}" autocomplete="off" />
      </div>
      <div><button class="button">Issue them</button></div>
    </form>
  </details>`
