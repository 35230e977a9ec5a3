export default {
  dialect: "postgresql",
  schema: "./src/orders.ts",
  out: "./migrations",
  // Without this filter, `push` of drizzle-kit 1.0 drops every schema that `orders.ts` doesn't define: also pixcharge's.
  schemaFilter: ["public"],
  dbCredentials: { url: process.env["DATABASE_URL"] },
}
