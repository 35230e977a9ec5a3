/** A stylesheet that a module imports is its minified text. */
declare module "*.css" {
  const text: string
  export default text
}
