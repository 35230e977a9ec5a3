export * from "./PixApi.ts"
