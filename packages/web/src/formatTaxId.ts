/** A CPF or CNPJ as people write it: `529.982.247-25`, `12.345.678/0001-95`. */
export const formatTaxId = (taxId: string): string =>
  taxId.length === 11
    ? taxId.replace(/^(.{3})(.{3})(.{3})(.{2})$/, "$1.$2.$3-$4")
    : taxId.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, "$1.$2.$3/$4-$5")
