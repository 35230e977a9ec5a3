export { openApiDocument, PixApi, PixAuthorization } from "./PixApi.ts"
