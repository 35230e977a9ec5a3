import "@pixcharge/checkout/element"
import type { PixCheckoutProps } from "@pixcharge/checkout/element"
import { useState } from "react"
import type * as React from "react"

declare module "react" {
  // oxlint-disable-next-line typescript/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      "pix-checkout": React.DetailedHTMLProps<React.HTMLAttributes<HTMLElement>, HTMLElement> & PixCheckoutProps
    }
  }
}

/** Shows the charge of a payer's link, and the shop's own text about the order. */
export const PixPayment = ({ link }: { readonly link: string }) => {
  const [paidCents, setPaidCents] = useState<number>()
  return (
    <>
      <p role="status">{paidCents === undefined ? "Pedido reservado" : `Pago: ${paidCents} centavos`}</p>
      <pix-checkout src={link} onpix-paid={({ detail }) => setPaidCents(detail.payment?.amountCents)}>
        <a href={link}>Pagar com Pix</a>
        <p slot="help">Dúvidas? Responda o e-mail do pedido.</p>
      </pix-checkout>
    </>
  )
}
