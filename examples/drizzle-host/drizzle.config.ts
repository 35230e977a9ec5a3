export default {
  dialect: "postgresql",
  schema: "./src/orders.ts",
  out: "./migrations",
  // Without it, `push` of drizzle-kit 1.0 drops each schema that the shop's schema lacks: pixcharge's, with all charges.
  schemaFilter: ["public"],
  dbCredentials: { url: process.env["DATABASE_URL"] },
}
