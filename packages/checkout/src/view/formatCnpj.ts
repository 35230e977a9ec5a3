/** `12345678000195` as `12.345.678/0001-95`. */
export const formatCnpj = (cnpj: string): string => cnpj.replace(/(..)(...)(...)(....)(..)/, "$1.$2.$3/$4-$5")
