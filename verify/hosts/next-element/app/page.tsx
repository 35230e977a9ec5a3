"use client"
import "@pixcharge/checkout/element"
import type { PixCheckoutProps } from "@pixcharge/checkout/element"
import type * as React from "react"

declare module "react" {
  // oxlint-disable-next-line typescript/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      "pix-checkout": React.DetailedHTMLProps<React.HTMLAttributes<HTMLElement>, HTMLElement> & PixCheckoutProps
    }
  }
}

const link = "https://shop.example/payments/pagar/x"

export default function Payment() {
  return (
    <pix-checkout src={link}>
      <a href={link}>Pagar com Pix</a>
    </pix-checkout>
  )
}
