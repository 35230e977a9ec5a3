/** The words of the checkout, which payers read: pt-BR. */
export const texts = {
  qrLabel: "QR Code Pix",
} as const
