// Written by pnpm assets, from browser/.
import type { Asset } from "./Asset.ts"

export const iconSvg: Asset = {
  "name": "icon.svg",
  "hash": "ea0615665cbc",
  "type": "image/svg+xml",
  "text": "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 32 32\"><rect width=\"32\" height=\"32\" rx=\"9\" fill=\"#0f766e\"/><path d=\"m10 16.5 4.2 4.2L22.5 12\" fill=\"none\" stroke=\"#fff\" stroke-width=\"3\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/></svg>"
}

export const tokensCss: Asset = {
  "name": "tokens.css",
  "hash": "f30b8135ddb9",
  "type": "text/css; charset=utf-8",
  "text": ":root{color-scheme:light dark}"
}
