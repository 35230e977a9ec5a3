// Written by pnpm assets, from browser/.
import type { Asset } from "@pixcharge/web"

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
