export { openApiDocument } from "./openApiDocument.ts"
export { PixApi, PixAuthorization } from "./PixApi.ts"
