import { TaggedError } from "@pixcharge/core/internal"

/**
 * A newer release made the database's schema. This release must not write into it.
 *
 * @remedy Update `@pixcharge/store-postgres`, or use another schema.
 * @repeat No, not before one of them is changed.
 */
export class SchemaTooNew extends TaggedError("SchemaTooNew")<{
  readonly schema: string
  readonly found: number
  readonly known: number
}> {
  override get message(): string {
    return `Schema ${this.schema} has version ${this.found}, newer than version ${this.known} of this release of @pixcharge/store-postgres. Update the package, or use another schema.`
  }
}

/**
 * The database's schema lacks migrations, and the host runs them separately.
 *
 * @remedy Run `npx -p @pixcharge/store-postgres pixcharge-postgres migrate`, then start again.
 * @repeat Yes, once the migrations have run.
 */
export class SchemaTooOld extends TaggedError("SchemaTooOld")<{
  readonly schema: string
  readonly found: number
  readonly known: number
}> {
  override get message(): string {
    return `Schema ${this.schema} has version ${this.found}, and this release of @pixcharge/store-postgres needs version ${this.known}. Run \`npx -p @pixcharge/store-postgres pixcharge-postgres migrate\`.`
  }
}

/**
 * Code between two releases made the schema: its migrations belong to no release.
 *
 * @remedy Export what you need, drop the schema, and migrate. Or use another schema.
 * @repeat No, not before the schema is dropped, or another one is named.
 */
export class SchemaUnreleased extends TaggedError("SchemaUnreleased")<{
  readonly schema: string
  /** The first migration that isn't this release's. */
  readonly version: number
}> {
  override get message(): string {
    return `Schema ${this.schema} was made by an unreleased version of @pixcharge/store-postgres: its migration ${this.version} differs from this release's. Export what you need, drop the schema, and migrate.`
  }
}

/**
 * Citus has distributed the schema: statements for a plain Postgres would fail there, or do half of their work.
 *
 * @remedy Use `citusStore`, `maintenance` and the command `pixcharge-citus` of `@pixcharge/store-citus`. Or use another schema.
 * @repeat No, not with this store.
 */
export class SchemaDistributed extends TaggedError("SchemaDistributed")<{ readonly schema: string }> {
  override get message(): string {
    return `Schema ${this.schema} is distributed by Citus: use @pixcharge/store-citus.`
  }
}

/**
 * The schema has some of our tables without the records of their migrations: a backup was restored in part, or rows of its table
 * `migrations` were deleted. Or its table `migrations` is another program's.
 *
 * @remedy Restore the whole backup, the table `migrations` with its rows. Or use another schema.
 * @repeat No, not before the schema is whole, or another one is named.
 */
export class SchemaIncomplete extends TaggedError("SchemaIncomplete")<{
  readonly schema: string
  /** The tables that exist, such as `charges`; empty if only the table `migrations` does. */
  readonly found: ReadonlyArray<string>
}> {
  override get message(): string {
    const state =
      this.found.length === 0
        ? `Table migrations of schema ${this.schema} is another program's, or lacks rows`
        : `Schema ${this.schema} has ${this.found.join(", ")}, but its table migrations doesn't say how they were made`
    return `${state}. Restore the whole backup, or use another schema.`
  }
}
