import { anEvent, aPaidCharge, aPendingCharge } from "@pixcharge/adapter-tests/fixtures"
import { expect, it } from "vitest"
import { Deliveries } from "../src/Deliveries.ts"

const charge = aPaidCharge(aPendingCharge())
const { issuer, id } = charge
const event = anEvent(charge)

it("the removal of a delivery keeps the charge's other deliveries", () => {
  const deliveries = new Deliveries()
  for (const endpointId of ["a", "b"]) deliveries.add({ event, endpointId }, 1)
  const [first] = deliveries.all()
  if (first === undefined) throw new Error("expected two deliveries")
  deliveries.remove(first)
  expect(Array.from(deliveries.all(), ({ record }) => record.endpointId)).toEqual(["b"])
  expect(deliveries.find(issuer, event.id, "a")).toBeUndefined()
  expect(deliveries.supersede(issuer, id, 2)).toBe(1)
  deliveries.add({ event, endpointId: "a" }, 3)
  expect(deliveries.supersede(issuer, id, 4)).toBe(1)
  deliveries.restore(issuer, id, 5)
  expect(Array.from(deliveries.all(), ({ record }) => [record.endpointId, record.status, record.nextAt])).toEqual([
    ["b", "waiting", 5],
    ["a", "waiting", 5],
  ])
})
