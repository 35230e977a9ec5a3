import { type Html, html } from "./html.ts"

/** What phones fold away behind a switch and wider screens always show; it works without script. */
export const fold = (label: string, content: Html, { isOpen = false } = {}): Html =>
  html`<div class="fold">
    <label class="fold-switch button button-small"
      ><input type="checkbox" class="visually-hidden" ${isOpen && html`checked`} />${label}</label
    >
    ${content}
  </div>`
