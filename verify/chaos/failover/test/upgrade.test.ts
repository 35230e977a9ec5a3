import { embeddedPostgres, PostgresServer } from "../../../world/index.ts"
import { describe, expect, it } from "vitest"
import { type Side, Sides } from "../load/Sides.ts"
import { World } from "../load/World.ts"
import { administer } from "../servers/administer.ts"
import { closeAfterEach, keep } from "./opened.ts"

// `pnpm test:upgrade` has packed both releases and installed them in these folders.
const older: Side = { name: "older", folder: process.env["OLDER_HOST"] ?? "" }
const newer: Side = { name: "newer", folder: process.env["NEWER_HOST"] ?? "" }

const salesAtOnce = 8
/** Calls that are answered in each part of a run. */
const callsEach = 200
/** Hosts that are killed in each rough part. */
const killsEach = 6

const tell = (what: string): boolean => process.stdout.write(`${what}\n`)

closeAfterEach()

const open = async () => {
  const server = keep(await PostgresServer.make(embeddedPostgres(), ["-c", "fsync=off"]), (one) => one.remove())
  await server.initialise()
  await server.start()
  const world = keep(await World.open(), (one) => one.close())
  const sides = keep(new Sides(world, server.port), (one) => one.close())
  return { server, world, sides }
}

const schemaVersion = async (server: PostgresServer): Promise<number> => {
  const [row] = await administer(server, "SELECT max(version) AS version FROM pixcharge.migrations")
  return Number((row as { readonly version: number }).version)
}

/** The older release sells; then the newer one starts beside it, and migrates. */
const openBoth = async () => {
  const { server, world, sides } = await open()
  await world.register(await sides.add(older))
  const from = await schemaVersion(server)
  world.load.start(salesAtOnce)
  await world.load.answered(callsEach)
  await sides.add(newer)
  tell(`the schema went from version ${from} to ${await schemaVersion(server)} under load`)
  return { server, world, sides }
}

describe("an older release and this one on one schema", { tags: ["upgrade"] }, () => {
  it("sell together, are killed, rolled back and brought forward again", { timeout: 1_800_000 }, async () => {
    const { world, sides } = await openBoth()
    const { load } = world
    await load.answered(callsEach)
    // While nothing goes wrong, each event is told once, whoever tells it.
    expect(await world.findFlaws(1)).toEqual([])

    const beRough = async (what: string) => {
      load.start(salesAtOnce)
      sides.isRough = true
      await sides.killed(sides.incidents.kills + killsEach)
      await sides.settled()
      await load.answered(callsEach)
      const flaws = await world.findFlaws(1 + sides.incidents.kills + sides.incidents.cuts)
      tell(`${what}: ${world.ledger.sales.length} sales, ${JSON.stringify(sides.incidents)}`)
      expect(flaws, what).toEqual([])
    }
    await sides.add(older)
    await sides.add(newer)
    await beRough("both releases")
    await sides.end(older)
    await beRough("the newer one alone")
    await sides.add(older)
    await sides.end(newer)
    await beRough("rolled back")
    await sides.add(newer)
    await sides.end(older)
    await beRough("brought forward again")
  })
})

describe("a migration after which the releases don't work together", { tags: ["upgrade"] }, () => {
  it("is found if it loses what they write", { timeout: 600_000 }, async () => {
    const { server, world } = await openBoth()
    await administer(server, loseDeliveries)
    await world.load.answered(callsEach)
    const flaws = await world.findFlaws(1)
    expect(flaws.filter((flaw) => flaw.endsWith("has 0 events that it is paid")).length).toBeGreaterThan(0)
  })

  it("is found if their leases no longer keep them apart", { timeout: 600_000 }, async () => {
    const { server, world } = await openBoth()
    await administer(server, endLeasesAtOnce)
    await world.load.answered(2 * callsEach)
    const flaws = await world.findFlaws(1)
    expect(flaws.filter((flaw) => /was told \d+ times/.test(flaw)).length).toBeGreaterThan(0)
  })
})

const trigger = (table: string, on: string, body: string): string => `
CREATE FUNCTION pixcharge.planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$;
CREATE TRIGGER planted BEFORE ${on} ON pixcharge.${table} FOR EACH ROW EXECUTE FUNCTION pixcharge.planted()`

const loseDeliveries = trigger("deliveries", "INSERT", "IF random() < 0.3 THEN RETURN NULL; END IF; RETURN NEW;")

const endLeasesAtOnce = trigger(
  "queue_leases",
  "INSERT OR UPDATE",
  "NEW.lease_until = clock_timestamp() - interval '1 s'; RETURN NEW;",
)
