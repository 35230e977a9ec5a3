import { isClosed, isWaiting, type Order, type Product } from "./orders.ts"

const reais = new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" })
export const formatCents = (cents: number): string => reais.format(cents / 100)

/** `2027-03-20` as `20/03/2027`. */
export const formatDay = (day: string): string => day.split("-").toReversed().join("/")

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }
export const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign)

export const page = (title: string, body: string): string => `<!doctype html>
<html lang="pt-BR">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Minha Loja</title>
<h1>${title}</h1>
${body}
</html>
`

export const button = (action: string, text: string): string =>
  `<form method="post" action="${action}"><button>${text}</button></form>`

export const productsPage = (products: ReadonlyArray<Product>): string =>
  page(
    "Produtos",
    products
      .map(
        ({ id, name, priceCents, available }) => `<form method="post" action="/orders">
<p>${escape(name)}, ${formatCents(priceCents)}
${available > 0 ? `<button name="product" value="${escape(id)}">Comprar</button>` : "Esgotado"}</p></form>`,
      )
      .join("\n") + '\n<p><a href="/club">Clube do café, todo mês</a></p>',
  )

const describeState = (order: Order): string => {
  if (order.refundedAt) return "Devolvido"
  if (order.paidAt) return "Pago"
  return isClosed(order) ? "Encerrado sem pagamento" : "Aguardando o pagamento"
}

/** The shop's page of an order. pixcharge serves the page of its payment. */
export const orderPage = (order: Order): string => {
  const waits = isWaiting(order)
  const pay = isClosed(order) ? "" : button(`/orders/${order.id}/checkout`, waits ? "Pagar com Pix" : "Ver o pagamento")
  const play =
    button(`/orders/${order.id}/pay`, waits ? "Sandbox: fazer o papel do pagador" : "Sandbox: pagar mesmo assim") +
    (waits ? button(`/orders/${order.id}/wait`, "Sandbox: deixar o prazo passar") : "")
  return page(
    "Pedido",
    `<p>${escape(order.product)}, ${formatCents(order.amountCents)}</p>
<p role="status">${describeState(order)}</p>
${pay}${waits || isClosed(order) ? play : ""}
${waits ? `<p><a href="/orders/${order.id}">Atualizar</a></p>` : ""}
<p><a href="/">Produtos</a></p>`,
  )
}

export const expiredPage = (): string =>
  page("Prazo encerrado", '<p>Este pedido já não pode ser pago. <a href="/">Faça outro.</a></p>')

export const soldOutPage = (): string =>
  page("Esgotado", '<p>A última unidade foi reservada por outra pessoa. <a href="/">Escolha outro produto.</a></p>')
