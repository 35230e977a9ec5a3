export {}
export * from "./paymentProcessorSuite.ts"
export * from "./paymentSimulatorSuite.ts"
export * from "./remoteProcessorSuite.ts"
export * from "./processorOrders.ts"
