/** The import of a stylesheet is its minified text. */
declare module "*.css" {
  const text: string
  export default text
}
