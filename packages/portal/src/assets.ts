// Written by pnpm assets, from browser/.
import type { Asset } from "@pixcharge/web"

export const portalCss: Asset = {
  "name": "portal.css",
  "hash": "d7e659cbb51f",
  "type": "text/css; charset=utf-8",
  "text": ".topbar>.portal-sections{min-height:0;padding-block:0 var(--space-2)}.portal-brand{color:inherit;font-size:var(--text-l);letter-spacing:-.012em;font-weight:650;text-decoration:none}.portal-who{color:var(--color-muted);font-size:var(--text-s);overflow-wrap:anywhere;margin-inline-start:auto}.company-switch{position:relative}.company-switch>nav{background:var(--color-surface);border:1px solid var(--color-line);border-radius:var(--radius-m);box-shadow:var(--shadow-2);inset:calc(100% + var(--space-1)) auto auto 0;max-height:70vh;max-width:calc(100vw - 2 * var(--space-4));padding:var(--space-2);z-index:5;width:max-content;position:absolute;overflow-y:auto}.company-links{gap:var(--space-1);padding:0;list-style:none;display:grid}.company-links a{border-radius:var(--radius-s);color:inherit;padding:var(--space-2) var(--space-3);text-decoration:none;display:grid}.company-links a:hover,.company-links a[aria-current]{background:var(--color-accent-soft);color:var(--color-accent-text)}.portal-filter{align-items:start;gap:var(--space-4);grid-template-columns:minmax(0,1fr);display:grid}@media (min-width:60rem){.portal-filter{grid-template-columns:repeat(2,10.75rem) 13.5rem minmax(0,1fr) max-content}.portal-filter>.button{margin-block-start:calc(var(--text-s) * 1.5 + var(--space-1))}}.portal-shortcuts{font-size:var(--text-s);padding:0;list-style:none}.portal-shortcuts a{min-height:1.5rem;display:inline-block}.portal-ask{gap:var(--space-2);justify-items:start}.grid>.card{align-content:start}.portal-code{overflow-wrap:anywhere}.portal-plain{padding:0;list-style:none}.timeline-details{font-size:var(--text-s);gap:0 var(--space-4);overflow-wrap:anywhere;flex-wrap:wrap;padding:0;list-style:none;display:flex}.timeline-time{font-size:var(--text-s);font-variant-numeric:tabular-nums}"
}

export const portalJs: Asset = {
  "name": "portal.js",
  "hash": "cb0d537a6bf0",
  "type": "text/javascript; charset=utf-8",
  "text": "const e=async e=>{let t=document.getElementById(e.dataset.copy??``),n=document.getElementById(e.dataset.status??``);if(t!==null&&n!==null)try{await navigator.clipboard.writeText(t.textContent.trim()),n.textContent=e.dataset.done??``}catch{getSelection()?.selectAllChildren(t),n.textContent=e.dataset.failed??``}};for(let t of document.querySelectorAll(`button[data-copy]`))t.hidden=!1,t.addEventListener(`click`,()=>void e(t));"
}
