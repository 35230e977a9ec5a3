/** A page of the shop. `link` is the payer's link of a charge, `mount` is the address of pixcharge's routes for payers. */
export const shopPage = (link: string, mount: string): string => `<!doctype html>
<html lang="pt-BR">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Pedido 1042 · Café do Porto</title>
    <link rel="stylesheet" href="/shop.css" />
    <script src="${mount}/pagar/assets/element.js" defer></script>
    <script src="/shop.js" type="module"></script>
  </head>
  <body>
    <main>
      <h1>Pedido 1042</h1>
      <p id="order">Aguardando o pagamento.</p>
      <pix-checkout src="${link}">
        <a href="${link}">Pagar com Pix</a>
        <p slot="logo">Café do Porto</p>
        <p slot="paid"><a href="/downloads">Baixar a nota</a></p>
        <p slot="help">Dúvidas? Fale com a gente: (81) 5555-0100.</p>
      </pix-checkout>
    </main>
  </body>
</html>
`

/** The element takes the shop's colours and font by properties, and follows its colour scheme. */
export const shopStyles = `:root { color-scheme: light }
body { background: #fbf7f2; color: #2b1d12; font-family: Georgia, serif; margin: 0 }
main { margin: 2rem auto; max-width: 48rem; padding: 0 1rem }
[slot="logo"] { font-weight: 700; text-align: center }
pix-checkout { --pix-accent: #7a3b12; --pix-on-accent: #ffffff; --pix-radius: 0.5rem; --pix-font: Georgia, serif }
`

/** The page reacts to events. The shop's server learns of the payment by itself, and must not trust the page. */
export const shopScript = `const order = document.querySelector("#order")
addEventListener("pix-paid", ({ detail }) => { order.textContent = \`Pago: \${detail.payment.amountCents} centavos.\` })
addEventListener("pix-expired", () => { order.textContent = "O código expirou." })
`
