export { PixApi, PixAuthorization } from "./PixApi.ts"
