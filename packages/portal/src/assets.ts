// Written by pnpm assets, from browser/.
import type { Asset } from "@pixcharge/web"

export const chartsCss: Asset = {
  "name": "charts.css",
  "hash": "ae2eff0b6d5e",
  "type": "text/css; charset=utf-8",
  "text": ":root{--chart-plain:#5067d6;--chart-good:#1a8a5a;--chart-waiting:#d99a2b;--chart-bad:#c83f35;--chart-quiet:#8b94a5;--chart-marker:#171c27}@media (prefers-color-scheme:dark){:root{--chart-plain:#8da0ff;--chart-good:#4fc78b;--chart-waiting:#e5b25a;--chart-bad:#f2786c;--chart-quiet:#7a8496;--chart-marker:#edf0f5}}.figure-tiles{gap:var(--space-3);grid-template-columns:repeat(auto-fill,minmax(min(9.5rem,100%),1fr));padding:0;list-style:none;display:grid}.figure-tile{align-content:start;gap:var(--space-1);padding:var(--space-4)}.figure-tile .figure-value{font-size:var(--text-xl)}.figure-tile .figure-value a{color:inherit;min-height:1.5rem;display:inline-block}.figure-tile[data-tone=bad] .figure-value{color:var(--color-bad)}.figure-tile .muted{font-size:var(--text-s)}.chart-cards{align-items:start;gap:var(--space-4);grid-template-columns:repeat(auto-fit,minmax(min(24rem,100%),1fr));display:grid}.chart-card{gap:var(--space-3)}.chart-card h2{font-size:var(--text-l)}.chart-lead{color:var(--color-muted);font-size:var(--text-s)}.chart{font-family:var(--font);font-variant-numeric:tabular-nums;width:100%;height:auto;overflow:visible}.chart text{fill:var(--color-muted);font-size:13px}@media (min-width:48rem){.chart text{font-size:10.5px}}.chart-value{text-anchor:end}.chart-label{text-anchor:middle}.chart-label-before{text-anchor:end}.chart-label-after{text-anchor:start}.chart .chart-marker-label{fill:var(--chart-marker);paint-order:stroke;stroke:var(--color-surface);stroke-linejoin:round;stroke-width:4px;font-weight:600}.chart-grid{stroke:var(--color-line)}.chart-base{stroke:var(--color-line-strong)}.chart-marker{stroke:var(--chart-marker);stroke-dasharray:4 3;stroke-width:1.5px}.chart-line{fill:none;stroke:var(--chart-plain);stroke-linecap:round;stroke-linejoin:round;stroke-width:2.5px}.chart-ground{fill:var(--chart-plain);opacity:.14}.chart-place{fill:#0000}.chart-place:hover,.chart-bar:hover .chart-place{fill:var(--color-line);opacity:.5}.chart-tone-plain{fill:var(--chart-plain)}.chart-tone-good{fill:var(--chart-good)}.chart-tone-waiting{fill:var(--chart-waiting)}.chart-tone-bad{fill:var(--chart-bad)}.chart-tone-quiet{fill:var(--chart-quiet)}.chart-bar [class^=chart-tone],.chart-part{stroke:var(--color-surface);stroke-width:1px}.chart-empty{fill:var(--color-sunken)}.chart-share{border-radius:var(--radius-s);overflow:hidden}.chart-legend{font-size:var(--text-s);gap:var(--space-1) var(--space-4);flex-wrap:wrap;padding:0;list-style:none;display:flex}.chart-legend li{align-items:center;gap:var(--space-2);display:flex}.chart-swatch{border-radius:3px;flex:none;width:.75rem;height:.75rem}.chart-swatch-plain{background:var(--chart-plain)}.chart-swatch-good{background:var(--chart-good)}.chart-swatch-waiting{background:var(--chart-waiting)}.chart-swatch-bad{background:var(--chart-bad)}.chart-swatch-quiet{background:var(--chart-quiet)}.chart-figures summary{color:var(--color-accent-text);font-size:var(--text-s);width:fit-content}.chart-figures .table-scroll{margin-top:var(--space-2);max-height:20rem;overflow:auto}.chart-figures .table :is(th,td){padding:var(--space-1) var(--space-3)}@media (forced-colors:active){.chart [class^=chart-tone],.chart-swatch{forced-color-adjust:none}.chart-line{stroke:canvastext}}@media print{.chart-figures::details-content{content-visibility:visible}}"
}

export const portalCss: Asset = {
  "name": "portal.css",
  "hash": "3b13b21f530b",
  "type": "text/css; charset=utf-8",
  "text": ".portal-bar{gap:var(--space-4)}.portal-brand{color:inherit;font-weight:650;text-decoration:none}.portal-who{color:var(--color-muted);margin-inline-start:auto}"
}

export const portalJs: Asset = {
  "name": "portal.js",
  "hash": "cb0d537a6bf0",
  "type": "text/javascript; charset=utf-8",
  "text": "const e=async e=>{let t=document.getElementById(e.dataset.copy??``),n=document.getElementById(e.dataset.status??``);if(t!==null&&n!==null)try{await navigator.clipboard.writeText(t.textContent.trim()),n.textContent=e.dataset.done??``}catch{getSelection()?.selectAllChildren(t),n.textContent=e.dataset.failed??``}};for(let t of document.querySelectorAll(`button[data-copy]`))t.hidden=!1,t.addEventListener(`click`,()=>void e(t));"
}
